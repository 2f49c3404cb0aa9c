// Which counters count something bad, as far as their names tell.
#pragma once

#include <string_view>

namespace barscope::tool {

// "rx_crc_errors", "tx_dropped", "RXERRC", "local_ack_timeout_err"; not "interrupts" or "rx_deferred".
bool counts_errors(std::string_view name);

} // namespace barscope::tool
