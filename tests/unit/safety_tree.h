// A simulated sysfs in a temporary folder, and a System whose calls can be recorded and made to fail.
#pragma once

#include <array>
#include <cerrno>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <functional>
#include <map>
#include <string>
#include <vector>

#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include <safety/bar_mapping.h>
#include <safety/gate.h>

#include "bar_source.h"
#include "system.h"

namespace barscope::safety::test {

class Tree {
  public:
    Tree() {
        std::string name = (std::filesystem::temp_directory_path() / "barscope-unit-XXXXXX").string();
        root_ = ::mkdtemp(name.data());
    }
    ~Tree() {
        std::error_code ignored;
        std::filesystem::remove_all(root_, ignored);
    }
    Tree(const Tree&) = delete;
    Tree& operator=(const Tree&) = delete;

    SystemRoot root() const { return SystemRoot(root_); }
    std::string path(const std::string& absolute) const { return root_ + absolute; }
    std::string device(const std::string& file = "", const std::string& address = "0000:01:00.0") const {
        return path("/sys/bus/pci/devices/" + address + (file.empty() ? "" : "/" + file));
    }

    void write(const std::string& absolute, std::string_view content) const {
        write_file(path(absolute), content);
    }
    static void write_file(const std::string& file, std::string_view content) {
        std::filesystem::create_directories(std::filesystem::path(file).parent_path());
        std::ofstream out(file, std::ios::binary | std::ios::trunc);
        out.write(content.data(), static_cast<std::streamsize>(content.size()));
    }

  private:
    std::string root_;
};

inline void put(std::string& bytes, std::size_t offset, std::uint64_t value, std::size_t width_bytes) {
    if (bytes.size() < offset + width_bytes) {
        bytes.resize(offset + width_bytes);
    }
    for (std::size_t i = 0; i < width_bytes; ++i) {
        bytes[offset + i] = static_cast<char>(value >> (8 * i));
    }
}

// Configuration space of a plain endpoint: identity, command with memory decoding on, a PM capability in D0
// at 40h.
inline std::string endpoint_config(std::uint16_t vendor = 0x14e4, std::uint16_t device = 0x1750,
                                   std::size_t size = 256) {
    std::string config(size, '\0');
    put(config, 0x00, vendor, 2);
    put(config, 0x02, device, 2);
    put(config, 0x04, 0x0006, 2);
    put(config, 0x06, 0x0010, 2);
    put(config, 0x34, 0x40, 1);
    put(config, 0x40, 0x01, 1);
    put(config, 0x44, 0x0000, 2);
    return config;
}

// A row of sysfs `resource` as the kernel prints it (drivers/pci/pci-sysfs.c: "0x%016llx 0x%016llx
// 0x%016llx\n").
inline std::string row(std::uint64_t start, std::uint64_t end, std::uint64_t flags) {
    std::array<char, 64> text{};
    std::snprintf(text.data(), text.size(), "0x%016llx 0x%016llx 0x%016llx\n",
                  static_cast<unsigned long long>(start), static_cast<unsigned long long>(end),
                  static_cast<unsigned long long>(flags));
    return text.data();
}

inline std::string rows(const std::vector<std::string>& first) {
    std::string text;
    for (std::size_t i = 0; i < 13; ++i) {
        text += i < first.size() ? first[i] : row(0, 0, 0);
    }
    return text;
}

struct Identity {
    std::string address = "0000:01:00.0";
    std::string vendor = "0x14e4";
    std::string device = "0x1750";
};

inline void add_device(const Tree& tree, const std::string& resource, const Identity& id = {}) {
    const auto write = [&](const char* file, const std::string& text) {
        Tree::write_file(tree.device(file, id.address), text);
    };
    write("vendor", id.vendor + "\n");
    write("device", id.device + "\n");
    write("subsystem_vendor", "0x14e4\n");
    write("subsystem_device", "0x5045\n");
    write("class", "0x020000\n");
    write("revision", "0x11\n");
    write("power_state", "D0\n");
    write("power/runtime_status", "active\n");
    write("resource", resource);
    const auto number = [](const std::string& text) {
        return static_cast<std::uint16_t>(std::stoul(text, nullptr, 16));
    };
    write("config", endpoint_config(number(id.vendor), number(id.device)));
}

inline void bind_driver(const Tree& tree, const std::string& driver,
                        const std::string& address = "0000:01:00.0") {
    std::filesystem::create_symlink("../../../../bus/pci/drivers/" + driver, tree.device("driver", address));
}

// One memory BAR of `size` bytes at `start` with the given contents.
inline void add_bar(const Tree& tree, std::uint64_t start, std::uint64_t size, std::string_view contents) {
    add_device(tree, rows({row(start, start + size - 1, 0x40200)}));
    Tree::write_file(tree.device("resource0"), contents);
}

inline DeviceFacts facts_of(const Tree& tree, const std::string& address = "0000:01:00.0") {
    return read_device_facts(tree.root(), parse_pci_address(address).value()).value();
}

inline WordRequest word(std::uint64_t offset, std::uint8_t width = 32, ByteOrder order = ByteOrder::little) {
    return {offset, width, ReadAction::none, Split::none, order};
}

inline SpacePlan plan_of(std::vector<WordRequest> words) {
    SpacePlan plan;
    plan.words = std::move(words);
    return plan;
}

// Real calls, noted down; those named in `fail` fail with that errno.
class RecordingSystem : public System {
  public:
    struct Open {
        std::string path;
        int flags;
    };
    struct Map {
        std::size_t length;
        int protection;
        int flags;
        off_t offset;
    };
    std::vector<Open> opens;
    std::vector<Map> maps;
    std::size_t mapped = 0; // bytes at this moment
    std::size_t most_mapped = 0;
    std::map<std::string, int> fail;
    bool sysfs = false;
    off_t shown_size = -1; // what fstat answers instead of the real size
    std::function<void()> on_sleep;
    std::vector<std::uint64_t> sleeps;
    std::function<void()> after_mmap;

    int open(const char* path, int flags, mode_t mode) override {
        opens.push_back({path, flags});
        return fails("open") ? -1 : System::open(path, flags, mode);
    }
    int fstat(int fd, struct stat& status) override {
        if (fails("fstat")) {
            return -1;
        }
        const int result = System::fstat(fd, status);
        status.st_size = shown_size >= 0 ? shown_size : status.st_size;
        return result;
    }
    bool on_sysfs(int fd) override { return sysfs || System::on_sysfs(fd); }
    void* mmap(std::size_t length, int protection, int flags, int fd, off_t offset) override {
        maps.push_back({length, protection, flags, offset});
        if (fails("mmap")) {
            return MAP_FAILED;
        }
        void* address = System::mmap(length, protection, flags, fd, offset);
        mapped += address == MAP_FAILED ? 0 : length;
        most_mapped = std::max(most_mapped, mapped);
        if (after_mmap) {
            after_mmap();
        }
        return address;
    }
    int munmap(void* address, std::size_t length) override {
        mapped -= length;
        return System::munmap(address, length);
    }
    void sleep_ns(std::uint64_t duration) override {
        sleeps.push_back(duration);
        if (on_sleep) {
            on_sleep();
        }
    }

  private:
    bool fails(const char* call) const {
        const auto found = fail.find(call);
        if (found == fail.end()) {
            return false;
        }
        errno = found->second;
        return true;
    }
};

inline std::unique_ptr<WordSource> open_source(const Tree& tree, std::shared_ptr<System> system = nullptr,
                                               unsigned bar = 0, const BarOpenOptions& options = {}) {
    if (!system) {
        system = std::make_shared<System>();
    }
    auto source = open_bar_with(std::move(system), tree.root(), facts_of(tree), bar, options);
    if (!source) {
        throw std::runtime_error(to_string(source.error()));
    }
    return std::move(*source);
}

} // namespace barscope::safety::test
