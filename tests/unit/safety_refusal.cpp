#include <catch2/catch.hpp>

#include "refusal.h"
#include "safety_tree.h"

using namespace barscope::safety;
using namespace barscope::safety::test;
using barscope::Error;
using barscope::ErrorCode;

namespace {

constexpr const char* with_rawio = "Name:\tx\nCapPrm:\t0\nCapEff:\t0000000000020000\nCapBnd:\t0\n"; // bit 17
constexpr const char* without_rawio = "Name:\tx\nCapEff:\t0000000000000000\n";

struct Machine {
    Tree tree;
    std::shared_ptr<RecordingSystem> system = std::make_shared<RecordingSystem>();
    Machine() { add_bar(tree, 0xfe000000, 0x1000, std::string(0x1000, '\0')); }
    void lockdown(const char* text) const { tree.write("/sys/kernel/security/lockdown", text); }
    void process(const char* text) const { tree.write("/proc/self/status", text); }
    Error open(const char* call, int error) const {
        system->fail[call] = error;
        const auto opened = open_bar_with(system, tree.root(), facts_of(tree), 0, {});
        REQUIRE_FALSE(opened.has_value());
        CHECK(system->mapped == 0);
        return opened.error();
    }
};

} // namespace

TEST_CASE("field case 16: EPERM is lockdown only where the kernel says that lockdown is on") {
    const Machine machine;
    bind_driver(machine.tree, "bnxt_en");
    machine.process(without_rawio);
    SECTION("integrity or confidentiality") {
        machine.lockdown(
            GENERATE("none [integrity] confidentiality\n", "none integrity [confidentiality]\n"));
        const Error error = machine.open("mmap", EPERM);
        CHECK(error.cause == "kernel-lockdown");
        CHECK(error.code == ErrorCode::permission);
        CHECK_THAT(error.what, Catch::Contains("mmap: EPERM") && Catch::Contains("lockdown"));
        CHECK_THAT(error.remedy, Catch::Contains("--source ethtool") && Catch::Contains("devlink"));
        CHECK_THAT(to_string(error), !Catch::Contains("Secure Boot", Catch::CaseSensitive::No));
    }
    SECTION("none, or nothing said") {
        const auto text =
            GENERATE(as<std::string>{}, "[none] integrity confidentiality\n", "", "garbage ]integrity[");
        machine.lockdown(text.c_str());
        CHECK(machine.open("mmap", EPERM).cause == "privilege");
    }
    SECTION("no lockdown file") {
        CHECK(machine.open("mmap", EPERM).cause == "privilege");
    }
}

TEST_CASE("field case 17: EINVAL blames a driver only where one is bound") {
    const Machine machine;
    machine.process(with_rawio);
    machine.lockdown("none [integrity] confidentiality\n"); // answers EPERM, so EINVAL has another cause
    SECTION("bound") {
        bind_driver(machine.tree, "bnxt_en");
        const Error error = machine.open("mmap", EINVAL);
        CHECK(error.cause == "exclusive-claim");
        CHECK(error.code == ErrorCode::permission);
        CHECK_THAT(error.what, Catch::Contains("mmap: EINVAL") && Catch::Contains("bnxt_en") &&
                                   Catch::Contains("IO_STRICT_DEVMEM"));
        CHECK_THAT(error.remedy, Catch::Contains("--source ethtool") && Catch::Contains("iomem=relaxed"));
    }
    SECTION("unbound") {
        const Error error = machine.open("mmap", EINVAL);
        CHECK(error.cause == "mmap-refused");
        CHECK_THAT(to_string(error), !Catch::Contains("IO_STRICT_DEVMEM") && !Catch::Contains("bnxt"));
    }
}

TEST_CASE("EPERM of a privileged process with a driver bound and no lockdown is the driver's claim") {
    const Machine machine;
    machine.lockdown("[none] integrity confidentiality\n");
    machine.process(with_rawio);
    SECTION("bound") {
        bind_driver(machine.tree, "nvme");
        const Error error = machine.open("mmap", EPERM);
        CHECK(error.cause == "exclusive-claim");
        CHECK_THAT(error.what, Catch::Contains("nvme") && Catch::Contains("CAP_SYS_RAWIO"));
    }
    SECTION("unbound: somebody else said no") {
        const Error error = machine.open("mmap", EPERM);
        CHECK(error.cause == "privilege");
        CHECK_THAT(error.remedy, Catch::Contains("security module"));
    }
    SECTION("at open no driver is in the way") {
        bind_driver(machine.tree, "nvme");
        CHECK(machine.open("open", EPERM).cause == "privilege");
    }
}

TEST_CASE("field case 19: a container or SELinux") {
    const Machine machine;
    machine.process(without_rawio);
    SECTION("a container") {
        const Error error = machine.open("open", GENERATE(EACCES, EPERM));
        CHECK(error.cause == "privilege");
        CHECK(error.code == ErrorCode::permission);
        CHECK_THAT(error.what, Catch::StartsWith("open: E"));
        CHECK_THAT(error.remedy, Catch::Contains("container") && Catch::Contains("CAP_SYS_RAWIO"));
        CHECK_THAT(error.remedy, !Catch::Contains("SELinux"));
    }
    SECTION("SELinux enforces") {
        machine.tree.write("/sys/fs/selinux/enforce", "1");
        CHECK_THAT(machine.open("mmap", EACCES).remedy,
                   Catch::Contains("SELinux") && Catch::Contains("audit log"));
    }
    SECTION("SELinux is there and does not enforce") {
        machine.tree.write("/sys/fs/selinux/enforce", "0");
        CHECK_THAT(machine.open("mmap", EACCES).remedy, !Catch::Contains("SELinux"));
    }
}

TEST_CASE("every failing call is named with its errno and nothing is mapped or left open") {
    struct Row {
        int error;
        const char* name;
        ErrorCode code;
    };
    const auto row =
        GENERATE(Row{ENODEV, "ENODEV", ErrorCode::absent}, Row{ENXIO, "ENXIO", ErrorCode::absent},
                 Row{ENOENT, "ENOENT", ErrorCode::absent}, Row{EIO, "EIO", ErrorCode::absent},
                 Row{ENOMEM, "ENOMEM", ErrorCode::permission}, Row{EMFILE, "EMFILE", ErrorCode::permission},
                 Row{EAGAIN, "EAGAIN", ErrorCode::permission}, Row{EBUSY, "EBUSY", ErrorCode::permission},
                 Row{4711, "errno 4711", ErrorCode::permission});
    const auto call = GENERATE(as<std::string>{}, "open", "fstat", "mmap");
    const Machine machine;
    const Error error = machine.open(call.c_str(), row.error);
    CHECK(error.code == row.code);
    CHECK_THAT(error.what, Catch::StartsWith(call + ": " + row.name));
    CHECK(error.where == machine.tree.device("resource0"));
    CHECK_FALSE(error.remedy.empty());
}

TEST_CASE("a placeholder that holds no BAR is not blamed") {
    const Machine machine;
    bind_driver(machine.tree, GENERATE(as<std::string>{}, "pci-stub", "pci-pf-stub"));
    CHECK(machine.open("mmap", EINVAL).cause == "mmap-refused");
}

TEST_CASE("probing maps one page, loads nothing and unmaps it") {
    const Machine machine;
    SECTION("can") {
        const Verdict verdict =
            probe_mapping_with(*machine.system, machine.tree.root(), facts_of(machine.tree), 0);
        CHECK(verdict.passed);
        CHECK(verdict.check == "bar0-mapping");
        REQUIRE(machine.system->maps.size() == 1);
        CHECK(machine.system->maps[0].length == machine.system->page_size());
        CHECK(machine.system->mapped == 0);
    }
    SECTION("an empty file would fault on the first load") {
        Tree::write_file(machine.tree.device("resource0"), "");
        CHECK(probe_mapping_with(*machine.system, machine.tree.root(), facts_of(machine.tree), 0).passed);
    }
    SECTION("cannot") {
        machine.system->fail["mmap"] = EINVAL;
        bind_driver(machine.tree, "e1000e");
        const Verdict verdict =
            probe_mapping_with(*machine.system, machine.tree.root(), facts_of(machine.tree), 0);
        CHECK_FALSE(verdict.passed);
        CHECK(verdict.refusal->cause == "exclusive-claim");
    }
    SECTION("no such BAR") {
        CHECK(probe_mapping(machine.tree.root(), facts_of(machine.tree), 3).refusal->cause == "bar-absent");
        CHECK(probe_mapping(machine.tree.root(), facts_of(machine.tree), 0).passed);
    }
}

TEST_CASE("field case 18: the first error is the one that is shown, and no second way is tried") {
    const Machine machine;
    machine.open("mmap", EPERM);
    REQUIRE(machine.system->opens.size() == 1);
    CHECK(machine.system->opens[0].path == machine.tree.device("resource0"));
    CHECK(machine.system->maps.size() == 1);
}
