// Single stores and loads through the port of lab override, on files that stand for a BAR and configuration
// space.
#include <catch2/catch.hpp>

#include <csignal>

#include <commands/lab_override.h>

#include "ports.h"
#include "safety_tree.h"

using namespace barscope;
using namespace barscope::safety;
using namespace barscope::safety::test;

namespace {

LabOverride proof() {
    return *tool::LabOverrideParser::from_options(true, "a test").value();
}

std::string content(const std::string& file) {
    std::ifstream in(file, std::ios::binary);
    return {std::istreambuf_iterator<char>(in), {}};
}

class RecordingOverrideSystem : public OverrideSystem {
  public:
    std::vector<int> open_flags, protections;
    std::vector<std::pair<std::size_t, off_t>> pwrites, preads;
    std::vector<std::pair<std::size_t, off_t>> maps;
    int pwrite_error = 0, mmap_error = 0;
    std::function<void()> after_mmap;

    int open(const char* path, int flags, mode_t mode) override {
        open_flags.push_back(flags);
        return System::open(path, flags, mode);
    }
    void* mmap(std::size_t length, int protection, int flags, int fd, off_t offset) override {
        protections.push_back(protection);
        maps.emplace_back(length, offset);
        if (mmap_error != 0) {
            errno = mmap_error;
            return MAP_FAILED;
        }
        void* address = System::mmap(length, protection, flags, fd, offset);
        if (after_mmap) {
            after_mmap();
        }
        return address;
    }
    ssize_t pread(int fd, void* data, std::size_t size, off_t offset) override {
        preads.emplace_back(size, offset);
        return OverrideSystem::pread(fd, data, size, offset);
    }
    ssize_t pwrite(int fd, const void* data, std::size_t size, off_t offset) override {
        pwrites.emplace_back(size, offset);
        if (pwrite_error != 0) {
            errno = pwrite_error;
            return -1;
        }
        return OverrideSystem::pwrite(fd, data, size, offset);
    }
};

PortWord at(std::uint64_t offset, std::uint8_t width, ByteOrder order = ByteOrder::little) {
    PortWord word;
    word.offset = offset;
    word.width = width;
    word.order = order;
    return word;
}

struct SimulatedBar {
    Tree tree;
    std::shared_ptr<RecordingOverrideSystem> system = std::make_shared<RecordingOverrideSystem>();
    std::unique_ptr<OverridePort> port;

    explicit SimulatedBar(PortUse use, std::uint64_t size = 0x3000, std::uint64_t start = 0xf0000000) {
        add_bar(tree, start, size, std::string(std::max<std::uint64_t>(size, 0x1000), '\x11'));
        auto opened = open_bar_port_with(system, tree.root(), facts_of(tree), 0, use);
        REQUIRE(opened);
        port = std::move(*opened);
    }
    std::string bytes() const { return content(tree.device("resource0")); }
};

} // namespace

TEST_CASE("a store changes the bytes of its word and no others") {
    const std::uint64_t value = 0x8877665544332211;
    for (const unsigned width : {8U, 16U, 32U, 64U}) {
        for (const ByteOrder order : {ByteOrder::little, ByteOrder::big}) {
            SimulatedBar bar(PortUse::stores);
            const std::uint64_t offset = 0x1ff8; // the last word of its page
            std::string wanted = bar.bytes();
            for (unsigned i = 0; i < width / 8; ++i) {
                const unsigned from = order == ByteOrder::little ? i : width / 8 - 1 - i;
                wanted[offset + i] = static_cast<char>(value >> (8 * from));
            }
            const std::uint64_t part = width == 64 ? value : value & ((std::uint64_t{1} << width) - 1);
            REQUIRE(bar.port->store(proof(), at(offset, static_cast<std::uint8_t>(width), order), part));
            CHECK(bar.bytes() == wanted);
            CHECK(bar.port->load(proof(), at(offset, static_cast<std::uint8_t>(width), order)).value() ==
                  part);
        }
    }
}

TEST_CASE("only the pages of the word are mapped, for the time of one access") {
    SimulatedBar bar(PortUse::stores);
    REQUIRE(bar.port->store(proof(), at(0x2004, 32), 1));
    REQUIRE(bar.system->maps.size() == 2); // the probe when it was opened, and the store
    CHECK(bar.system->maps[1] == std::pair<std::size_t, off_t>(0x1000, 0x2000));
}

TEST_CASE("what is opened for loads is opened and mapped for reading only, and stores nothing") {
    SimulatedBar bar(PortUse::loads);
    const std::string before = bar.bytes();
    CHECK(bar.port->load(proof(), at(4, 32)).value() == 0x11111111);
    const auto stored = bar.port->store(proof(), at(4, 32), 7);
    REQUIRE_FALSE(stored);
    CHECK(stored.error().cause == "opened-for-loads");
    CHECK(bar.bytes() == before);
    for (const int flags : bar.system->open_flags) {
        CHECK((flags & O_ACCMODE) == O_RDONLY);
    }
    for (const int protection : bar.system->protections) {
        CHECK(protection == PROT_READ);
    }
}

TEST_CASE("a BAR that is smaller than a page is written at its place in the page, and not beyond its end") {
    SimulatedBar bar(PortUse::stores, 128, 0xf0000c80);
    std::string wanted = bar.bytes();
    wanted[0xc80 + 0x7c] = '\x42';
    wanted.replace(0xc80 + 0x7d, 3, std::string(3, '\0'));
    REQUIRE(bar.port->store(proof(), at(0x7c, 32), 0x42));
    CHECK(bar.bytes() == wanted);
    const auto beyond = bar.port->store(proof(), at(0x80, 32), 1);
    REQUIRE_FALSE(beyond);
    CHECK(beyond.error().cause == "out-of-range");
    CHECK(bar.bytes() == wanted);
}

TEST_CASE("what cannot be one access of its width is refused without one") {
    SimulatedBar bar(PortUse::stores);
    const std::string before = bar.bytes();
    const auto refused = [&](PortWord word, const char* cause) {
        const auto stored = bar.port->store(proof(), word, 0);
        REQUIRE_FALSE(stored);
        CHECK(stored.error().cause == cause);
        CHECK_FALSE(bar.port->load(proof(), word));
    };
    refused(at(2, 32), "misaligned");
    refused(at(4, 64), "misaligned");
    refused(at(0x3000, 8), "out-of-range");
    refused(at(0x2ffe, 32), "misaligned");
    refused(at(UINT64_MAX - 3, 32), "out-of-range");
    PortWord narrow = at(4, 16);
    narrow.legal_widths = 4;
    refused(narrow, "illegal-width");
    PortWord outside = at(0x100, 32);
    outside.size_limit = 0x100;
    refused(outside, "out-of-range");
    PortWord split = at(8, 64);
    split.split = Split::hi_lo_hi;
    refused(split, "split-write");
    CHECK(bar.bytes() == before);
    CHECK(bar.system->maps.size() == 1); // the probe
}

TEST_CASE("a store whose mapping was revoked is an error, not the end of the process") {
    SimulatedBar bar(PortUse::stores);
    bar.system->after_mmap = [&] { REQUIRE(::truncate(bar.tree.device("resource0").c_str(), 0) == 0); };
    const auto stored = bar.port->store(proof(), at(0x1000, 32), 1);
    REQUIRE_FALSE(stored);
    CHECK(stored.error().cause == "access-faulted");
    CHECK(stored.error().code == ErrorCode::absent);
}

TEST_CASE("a mapping that the kernel refuses is explained when it is opened") {
    Tree tree;
    add_bar(tree, 0xf0000000, 0x1000, std::string(0x1000, '\0'));
    auto system = std::make_shared<RecordingOverrideSystem>();
    system->mmap_error = EINVAL;
    const auto opened = open_bar_port_with(system, tree.root(), facts_of(tree), 0, PortUse::stores);
    REQUIRE_FALSE(opened);
    CHECK(opened.error().cause == "mmap-refused");
}

TEST_CASE("configuration space takes one write of the declared width") {
    Tree tree;
    add_bar(tree, 0xf0000000, 0x1000, std::string(0x1000, '\0'));
    auto system = std::make_shared<RecordingOverrideSystem>();
    auto port = open_config_port_with(system, tree.root(), facts_of(tree), PortUse::stores).value();
    std::string wanted = content(tree.device("config"));
    for (const std::uint8_t width : {std::uint8_t{8}, std::uint8_t{16}, std::uint8_t{32}}) {
        system->pwrites.clear();
        const std::uint64_t value = width == 8 ? 0xa1 : width == 16 ? 0xa2b2 : 0xa3b3c3d3;
        put(wanted, 0x60 + width, value, width / 8U);
        REQUIRE(port->store(proof(), at(0x60U + width, width), value));
        CHECK(system->pwrites == std::vector<std::pair<std::size_t, off_t>>{{width / 8U, 0x60 + width}});
        CHECK(content(tree.device("config")) == wanted);
        system->preads.clear();
        CHECK(port->load(proof(), at(0x60U + width, width)).value() == value);
        CHECK(system->preads == std::vector<std::pair<std::size_t, off_t>>{{width / 8U, 0x60 + width}});
    }
    CHECK_FALSE(port->store(proof(), at(0x60, 64), 0));
    CHECK_FALSE(port->store(proof(), at(0x100, 8), 0));
    CHECK_FALSE(port->store(proof(), at(0x61, 16), 0));
    CHECK(content(tree.device("config")) == wanted);
}

TEST_CASE("a write to configuration space that the kernel refuses says why") {
    Tree tree;
    add_bar(tree, 0xf0000000, 0x1000, std::string(0x1000, '\0'));
    tree.write("/sys/kernel/security/lockdown", "none [integrity] confidentiality\n");
    auto system = std::make_shared<RecordingOverrideSystem>();
    system->pwrite_error = EPERM;
    auto port = open_config_port_with(system, tree.root(), facts_of(tree), PortUse::stores).value();
    const auto stored = port->store(proof(), at(0x60, 32), 1);
    REQUIRE_FALSE(stored);
    CHECK(stored.error().cause == "kernel-lockdown");
    CHECK_THAT(stored.error().what, Catch::Contains("pwrite"));
}
