// What is to be read: a device or a dump file, and the map that explains it.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include <device/lookup.h>
#include <device/selector.h>
#include <regmaps/catalog.h>
#include <regmaps/model.h>
#include <regmaps/parameters.h>
#include <safety/config_space.h>
#include <safety/gate.h>

namespace barscope::tool {

struct Recording;

struct Subject {
    safety::SystemRoot root;
    std::string root_path;                    // as given with --root; empty: this machine
    std::optional<safety::DeviceFacts> facts; // nothing: a dump file
    std::string file;                         // a dump file's path
    regmaps::PciIdentity pci;                 // zeros for a dump file without configuration space
    regmaps::RegisterMap map;
    bool specific = false; // the map names this device, rather than fitting every one
    // A dump file's configuration space: of --dump-config, or the dump itself where `file_is_config`.
    std::shared_ptr<safety::ConfigSpace> dump_config;
    bool file_is_config = false;
    // A snapshot's passes, in the device's place; null: none. `recorded`: of which device and moment, and
    // what is to be known of the file.
    std::shared_ptr<const Recording> recording;
    struct Recorded {
        std::string address, created, driver, integrity;
    } recorded;
};

struct SubjectOptions {
    std::string device;                         // as the user named it
    std::string map;                            // --map; empty: the best match
    std::string config_dump;                    // --dump-config
    std::vector<regmaps::Parameter> parameters; // --set
    bool dump_is_bar = false;                   // --bar: a dump file holds a BAR whatever the map begins with
};
Result<Subject> open_subject(const std::string& root_path, const SubjectOptions& options);

} // namespace barscope::tool
