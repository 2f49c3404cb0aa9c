// The simulated machine is judged by lspci, which knows configuration space better than we do.
#include <catch2/catch.hpp>

#include <array>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <memory>
#include <string>

#include <sys/stat.h>
#include <unistd.h>

#include <demo/demo_config.h>
#include <demo/demo_tree.h>

namespace {

namespace fs = std::filesystem;
using Catch::Contains;

// A folder of its own below the system's temporary folder, gone at the end.
class Folder {
  public:
    Folder() {
        std::string pattern = (fs::temp_directory_path() / "barscope-demo-XXXXXX").string();
        REQUIRE(::mkdtemp(pattern.data()) != nullptr);
        path_ = pattern;
    }
    ~Folder() {
        std::error_code ignored;
        fs::remove_all(path_, ignored);
    }
    Folder(const Folder&) = delete;
    Folder& operator=(const Folder&) = delete;
    fs::path path(const std::string& below = "") const { return path_ / below; }

  private:
    fs::path path_;
};

std::string content(const fs::path& file) {
    std::ifstream in(file, std::ios::binary);
    REQUIRE(in);
    return {std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
}

std::uint32_t word_at(const fs::path& file, std::streamoff offset) {
    std::ifstream in(file, std::ios::binary);
    std::array<unsigned char, 4> bytes{};
    in.seekg(offset);
    for (unsigned char& byte : bytes) {
        byte = static_cast<unsigned char>(in.get());
    }
    REQUIRE(in);
    return static_cast<std::uint32_t>(bytes[0]) | static_cast<std::uint32_t>(bytes[1]) << 8U |
           static_cast<std::uint32_t>(bytes[2]) << 16U | static_cast<std::uint32_t>(bytes[3]) << 24U;
}

std::string output_of(const std::string& command) {
    const std::unique_ptr<FILE, int (*)(FILE*)> pipe(::popen(command.c_str(), "r"), ::pclose);
    REQUIRE(pipe);
    std::string text;
    std::array<char, 4096> buffer{};
    while (std::size_t got = std::fread(buffer.data(), 1, buffer.size(), pipe.get())) {
        text.append(buffer.data(), got);
    }
    return text;
}

bool have_lspci() {
    return !output_of("command -v lspci").empty();
}

// `lspci -xxxx` text of one function, as `lspci -F` reads it.
void write_hex(const fs::path& file, const std::string& address, const barscope::tool::ConfigImage& image) {
    std::ofstream out(file);
    out << address << " x\n";
    for (std::size_t row = 0; row < image.size(); row += 16) {
        std::array<char, 8> text{};
        std::snprintf(text.data(), text.size(), "%02zx:", row);
        out << text.data();
        for (std::size_t i = 0; i < 16; ++i) {
            std::snprintf(text.data(), text.size(), " %02x", image.at(row + i));
            out << text.data();
        }
        out << '\n';
    }
    out << '\n';
}

} // namespace

TEST_CASE("the demo card's configuration space is what lspci reads as intended", "[demo]") {
    if (!have_lspci()) {
        WARN("lspci is not installed: nothing compared");
        return;
    }
    const Folder folder;
    const fs::path dump = folder.path("dump");
    write_hex(dump, "3b:00.0", barscope::tool::demo_nic_config());
    const std::string text = output_of("LC_ALL=C lspci -n -vvv -F " + dump.string() + " 2>&1");
    CHECK_THAT(text, Contains("3b:00.0 0200: 14e4:1750 (rev 11)"));
    CHECK_THAT(text, Contains("Subsystem: 14e4:5045"));
    CHECK_THAT(text, Contains("Mem+ BusMaster+"));
    CHECK_THAT(text, Contains("[48] Power Management version 3"));
    CHECK_THAT(text, Contains("Status: D0 NoSoftRst+"));
    CHECK_THAT(text, Contains("[a0] MSI-X: Enable+ Count=512 Masked-"));
    CHECK_THAT(text, Contains("Vector table: BAR=4 offset=00000000"));
    CHECK_THAT(text, Contains("PBA: BAR=4 offset=00004000"));
    CHECK_THAT(text, Contains("[ac] Express (v2) Endpoint"));
    CHECK_THAT(text, Contains("LnkCap:	Port #0, Speed 16GT/s, Width x16"));
    CHECK_THAT(text, Contains("LnkSta:	Speed 16GT/s"));
    CHECK_THAT(text, Contains("Width x8 (downgraded)"));
    CHECK_THAT(text, Contains("DevSta:	CorrErr+ NonFatalErr- FatalErr-"));
    CHECK_THAT(text, Contains("[100 v1] Advanced Error Reporting"));
    CHECK_THAT(text, Contains("CESta:	RxErr+ BadTLP+ BadDLLP- Rollover- Timeout- AdvNonFatalErr-"));
    CHECK_THAT(text, Contains("[13c v1] Device Serial Number 00-00-01-ff-fe-00-00-02"));
    CHECK_THAT(text, !Contains("Unknown") && !Contains("<access denied>") && !Contains("!!!"));
}

TEST_CASE("the demo NVMe controller's configuration space is what lspci reads as intended", "[demo]") {
    if (!have_lspci()) {
        WARN("lspci is not installed: nothing compared");
        return;
    }
    const Folder folder;
    const fs::path dump = folder.path("dump");
    write_hex(dump, "01:00.0", barscope::tool::demo_nvme_config());
    const std::string text = output_of("LC_ALL=C lspci -n -vvv -F " + dump.string() + " 2>&1");
    CHECK_THAT(text, Contains("01:00.0 0108: 1b36:0010 (rev 02) (prog-if 02"));
    CHECK_THAT(text, Contains("[40] MSI-X: Enable+ Count=65 Masked-"));
    CHECK_THAT(text, Contains("[60] Power Management version 3"));
    CHECK_THAT(text, Contains("LnkSta:	Speed 8GT/s") && Contains("Width x4") && !Contains("downgraded"));
    CHECK_THAT(text, Contains("CESta:	RxErr- BadTLP- BadDLLP- Rollover- Timeout- AdvNonFatalErr-"));
    CHECK_THAT(text, !Contains("Unknown") && !Contains("!!!"));
}

TEST_CASE("the demo tree has the links and files of a kernel's sysfs", "[demo]") {
    const Folder folder;
    const auto written = barscope::tool::write_demo_tree(folder.path("demo").string());
    REQUIRE(written);
    const fs::path sys = folder.path("demo/sys");
    const fs::path nic = sys / "bus/pci/devices/0000:3b:00.0";
    CHECK(fs::equivalent(nic, sys / "devices/pci0000:3a/0000:3a:00.0/0000:3b:00.0"));
    CHECK(fs::equivalent(nic, sys / "class/net/ens1f0np0/device"));
    CHECK(fs::equivalent(nic, sys / "class/infiniband/bnxt_re0/device"));
    CHECK(fs::equivalent(nic, sys / "bus/pci/drivers/bnxt_en/0000:3b:00.0"));
    CHECK(fs::equivalent(nic / "driver", sys / "bus/pci/drivers/bnxt_en"));
    CHECK(fs::equivalent(nic / "subsystem", sys / "bus/pci"));
    const fs::path nvme = sys / "bus/pci/devices/0000:01:00.0";
    CHECK(fs::equivalent(nvme, sys / "class/nvme/nvme0/device"));
    CHECK(fs::equivalent(nvme / "driver", sys / "bus/pci/drivers/nvme"));
    CHECK(content(sys / "kernel/security/lockdown") == "[none] integrity confidentiality\n");
    CHECK(content(nic / "class") == "0x020000\n");

    CHECK(fs::file_size(nic / "config") == 4096);
    CHECK(fs::file_size(nic / "resource0") == 0x10000);
    CHECK(fs::file_size(nic / "resource2") == 0x1000000);
    CHECK(fs::file_size(nic / "resource4") == 0x8000);
    CHECK(fs::file_size(nvme / "resource0") == 0x4000);
    struct stat info {};
    REQUIRE(::stat((nic / "resource2").c_str(), &info) == 0);
    CHECK(info.st_blocks == 0); // sparse

    // bnxt.h BNXT_GRC_REG_STATUS_P5 and bnxt_hsi.h FW_STATUS_REG_CODE_READY; NVMe 1.4 section 3.1.3 VS.
    CHECK(word_at(nic / "resource0", 0x520) == 0x00008000);
    CHECK(word_at(nvme / "resource0", 0x8) == 0x00010400);

    const std::string rows = content(nic / "resource");
    CHECK(std::count(rows.begin(), rows.end(), '\n') == 13);
    // The same addresses as the BARs in configuration space hold.
    CHECK_THAT(rows, Catch::StartsWith("0x0000380001010000 0x000038000101ffff 0x000000000014220c\n"));
    CHECK(word_at(nic / "config", 0x10) == 0x0101000c);
    CHECK(word_at(nic / "config", 0x14) == 0x00003800);
}

TEST_CASE("a demo replaces an earlier demo and nothing else", "[demo]") {
    const Folder folder;
    const std::string demo = folder.path("demo").string();
    REQUIRE(barscope::tool::write_demo_tree(demo));
    { std::ofstream(folder.path("demo/sys/bus/pci/devices/0000:3b:00.0/power_state")) << "D3hot\n"; }
    REQUIRE(barscope::tool::write_demo_tree(demo));
    CHECK(content(folder.path("demo/sys/bus/pci/devices/0000:3b:00.0/power_state")) == "D0\n");

    const fs::path other = folder.path("other");
    fs::create_directory(other);
    std::ofstream(other / "letter") << "mine\n";
    const auto refused = barscope::tool::write_demo_tree(other.string());
    REQUIRE(!refused);
    CHECK(refused.error().code == barscope::ErrorCode::output);
    CHECK(refused.error().cause == "folder-not-empty");
    CHECK(content(other / "letter") == "mine\n");
    CHECK(std::distance(fs::directory_iterator(other), fs::directory_iterator()) == 1);
}

TEST_CASE("a demo follows no link out of its folder", "[demo]") {
    const Folder folder;
    const fs::path demo = folder.path("demo");
    fs::create_directory(demo);
    std::ofstream(demo / "barscope-demo") << "";
    std::ofstream(folder.path("victim")) << "keep\n";
    SECTION("a file that is a link") {
        fs::create_directories(demo / "proc");
        fs::create_symlink(folder.path("victim"), demo / "proc/version");
    }
    SECTION("a folder that is a link") {
        fs::create_directories(folder.path("elsewhere"));
        fs::create_symlink(folder.path("elsewhere"), demo / "proc");
    }
    const auto refused = barscope::tool::write_demo_tree(demo.string());
    REQUIRE(!refused);
    CHECK(refused.error().cause == "demo-not-written");
    CHECK(content(folder.path("victim")) == "keep\n");
    if (fs::exists(folder.path("elsewhere"))) {
        CHECK(fs::is_empty(folder.path("elsewhere")));
    }
}

TEST_CASE("a demo that cannot be written is an error, not a half machine passed off as whole", "[demo]") {
    const auto refused = barscope::tool::write_demo_tree("/proc/barscope-demo");
    REQUIRE(!refused);
    CHECK(refused.error().code == barscope::ErrorCode::output);
    CHECK_THAT(refused.error().what, Contains("cannot create folder"));
}
