// The single collectors. For tool/context only.
#pragma once

#include <context/collector.h>
#include <device/child.h>

namespace barscope::tool {

Collected begin_collector(std::string name, CollectorKind kind); // with the time of now

// What a helper program may take.
ChildLimits helper_limits(const ContextRequest& request);

Collected collect_net_statistics(const ContextRequest& request, const std::string& interface);
Collected collect_net_settings(const ContextRequest& request, const std::string& interface);
Collected collect_aer(const ContextRequest& request);
Collected collect_interrupts(const ContextRequest& request);
Collected collect_parameters(const ContextRequest& request);
Collected collect_rdma_counters(const ContextRequest& request, const std::string& device);

// Helper programs; on the running machine only.
Collected collect_ethtool(const ContextRequest& request, const std::string& option,
                          const std::string& interface, CollectorKind kind);
Collected collect_rdma_resources(const ContextRequest& request, const std::string& device);
Collected collect_devlink_info(const ContextRequest& request);

} // namespace barscope::tool
