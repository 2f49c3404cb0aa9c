// Finding maps: built in, in folders, by path; matching devices.
#include "regmaps_loader_support.h"

#include <cstdlib>
#include <filesystem>
#include <fstream>

#include <sys/stat.h>
#include <unistd.h>

#include <regmaps/catalog.h>

using namespace barscope;
using namespace barscope::regmaps;
using namespace barscope::regmaps::test;
namespace fs = std::filesystem;

namespace {

class Folder {
  public:
    Folder() {
        std::string pattern = (fs::temp_directory_path() / "barscope-maps-XXXXXX").string();
        REQUIRE(::mkdtemp(pattern.data()) != nullptr);
        path_ = pattern;
    }
    ~Folder() { fs::remove_all(path_); }
    Folder(const Folder&) = delete;
    Folder& operator=(const Folder&) = delete;

    std::string path(const std::string& file = {}) const { return file.empty() ? path_ : path_ + "/" + file; }
    void write(const std::string& file, const std::string& text) const {
        fs::create_directories(fs::path(path(file)).parent_path());
        std::ofstream(path(file), std::ios::binary) << text;
    }

  private:
    std::string path_;
};

std::string map_called(const std::string& name, const std::string& more = "",
                       const std::string& title = "T") {
    return R"({"formatVersion": 1, "name": ")" + name + R"(", "title": ")" + title +
           R"(", "version": "1", "sources": ["s"])" + (more.empty() ? "" : ", " + more) + "}";
}

const PciIdentity edu{0x1234, 0x11e8, 0x1af4, 0x1100, 0x00ff00, 0x10, false};
const PciIdentity unknown{0xabcd, 0x1234, 0, 0, 0x020000, 1, false};

std::string origin_of(const Result<std::optional<RegisterMap>>& found) {
    REQUIRE(found.has_value());
    return *found ? std::string((*found)->name) + " from " + std::string((*found)->origin) : "nothing";
}

} // namespace

TEST_CASE("built-in maps are found by name and used in place") {
    const Catalog catalog({});
    const auto map = catalog.find("pcie");
    REQUIRE(map.has_value());
    CHECK(map->name == "pcie");
    CHECK(map->origin == "built in");
    CHECK(map->owner == nullptr);
    const auto text = catalog.source_text("pcie");
    REQUIRE(text.has_value());
    std::ifstream file(BARSCOPE_SOURCE_DIR "/regmaps/definitions/pcie.json", std::ios::binary);
    CHECK(*text == std::string(std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()));
}

TEST_CASE("an unknown name is answered with what is close") {
    const Folder folder;
    folder.write("mine.json", map_called("mine"));
    const Catalog catalog({folder.path()});
    for (const std::string name : {"pcei", "mien"}) {
        const auto map = catalog.find(name);
        REQUIRE_FALSE(map.has_value());
        CHECK(map.error().code == ErrorCode::usage);
        CHECK(map.error().cause == "map-unknown");
        CHECK(map.error().remedy == (name == "pcei" ? "did you mean pcie?" : "did you mean mine?"));
    }
    CHECK_FALSE(catalog.find("No Such").has_value());
    CHECK_FALSE(catalog.find("").has_value());
    CHECK_FALSE(catalog.source_text("..").has_value());
}

TEST_CASE("folders override in rising priority, and only what is needed is opened") {
    const Folder low;
    const Folder high;
    low.write("pcie.json", map_called("pcie", "", "low"));
    low.write("mine.json", map_called("mine", "", "low"));
    high.write("pcie.json", map_called("pcie", "", "high"));
    high.write("broken.json", "{");
    const Catalog catalog({"/nowhere/at/all", low.path(), high.path()});
    const auto title = [&](const std::string& name) { return std::string(catalog.find(name).value().title); };
    const auto origin = [&](const std::string& name) {
        return std::string(catalog.find(name).value().origin);
    };
    CHECK(title("pcie") == "high");
    CHECK(origin("pcie") == high.path("pcie.json"));
    CHECK(title("mine") == "low");
    CHECK(*catalog.source_text("mine") == map_called("mine", "", "low"));
    low.write("other.json", map_called("other"));
    CHECK(title("other") == "T"); // the broken file is not looked at
    const auto broken = catalog.find("broken");
    REQUIRE_FALSE(broken.has_value());
    CHECK(broken.error().where == high.path("broken.json") + ": (document), line 1, column 2");
}

TEST_CASE("the list says where each comes from, and what could not be loaded") {
    const Folder folder;
    folder.write("pcie.json", map_called("pcie", "", "mine"));
    folder.write("new.json", map_called("new"));
    folder.write("broken.json", map_called("broken", "\"registers\": 3"));
    folder.write("named.json", map_called("otherwise"));
    folder.write("notes.txt", "not a map");
    folder.write("Upper.json", "not a map's name");
    const Catalog catalog({folder.path()});
    std::vector<Error> broken;
    const auto entries = catalog.list(&broken);
    std::map<std::string, CatalogEntry> by_name;
    for (const CatalogEntry& entry : entries) {
        by_name[entry.name] = entry;
    }
    CHECK(std::is_sorted(entries.begin(), entries.end(), [](auto& a, auto& b) { return a.name < b.name; }));
    CHECK(by_name.at("pcie").origin == folder.path("pcie.json"));
    CHECK(by_name.at("pcie").title == "mine");
    CHECK(by_name.at("pcie").overrides);
    CHECK(by_name.at("new").origin == folder.path("new.json"));
    CHECK_FALSE(by_name.at("new").overrides);
    CHECK(by_name.at("nvme").origin == "built in");
    CHECK_FALSE(by_name.at("nvme").overrides);
    CHECK(by_name.count("broken") == 0);
    CHECK(by_name.count("named") == 0);
    REQUIRE(broken.size() == 2);
    CHECK_THAT(broken[0].where,
               Catch::StartsWith(folder.path("broken.json") + ": /registers, line 1, column "));
    CHECK(broken[1].cause == "map-file-name");
    CHECK_THAT(broken[1].remedy, Catch::Contains("otherwise.json"));
    catalog.list(nullptr); // nobody wants to know
}

TEST_CASE("maps by path") {
    const Folder folder;
    folder.write("any name.json", map_called("mine", "\"include\": [\"sibling\", \"pcie\"]"));
    folder.write("sibling.json", map_called("sibling", R"("enums": {"FROM_SIBLING": {"0": "X"}})"));
    const Catalog catalog({});
    const auto map = catalog.find(folder.path("any name.json"));
    REQUIRE(map.has_value());
    CHECK(map->name == "mine");
    CHECK(map->origin == folder.path("any name.json"));
    CHECK(map->text(map->enums[0].name) == "FROM_SIBLING");
    CHECK(map->registers.size() > 10); // of the built-in pcie
    const auto missing = catalog.find(folder.path("missing.json"));
    REQUIRE_FALSE(missing.has_value());
    CHECK(missing.error().code == ErrorCode::bad_input);
    CHECK(missing.error().where == folder.path("missing.json"));
    const auto directory = catalog.find(folder.path() + "/");
    REQUIRE_FALSE(directory.has_value());
    CHECK(directory.error().what == "not a regular file");
    CHECK_FALSE(catalog.source_text(folder.path("missing.json")).has_value());
    CHECK(catalog.source_text(folder.path("sibling.json")).has_value());
    // Inclusion of an unknown map is reported at its name.
    folder.write("lost.json", map_called("lost", "\"include\": [\"pcei\"]"));
    const auto lost = catalog.find(folder.path("lost.json"));
    REQUIRE_FALSE(lost.has_value());
    CHECK_THAT(lost.error().where, Catch::Contains("/include/0"));
    CHECK(lost.error().remedy == "did you mean pcie?");
}

TEST_CASE("a folder's version of an included map applies to a built-in one too") {
    const Folder folder;
    const Catalog plain({folder.path()});
    const auto built_in = plain.find("nvme");
    REQUIRE(built_in.has_value());
    if (built_in->includes.empty()) {
        return; // nothing is included
    }
    CHECK(built_in->owner == nullptr);
    folder.write("pcie.json", map_called("pcie", R"("spaces": [{"name": "mine", "config": true}],
        "registers": [{"name": "ONLY_HERE", "space": "mine", "offset": 0, "readAction": "none"}])"));
    const auto overridden = Catalog({folder.path()}).find("nvme");
    INFO((overridden ? std::string() : to_string(overridden.error())));
    // Either it loads with the new content, or the new content does not have what nvme needs; the old one is
    // not used.
    if (overridden) {
        CHECK(reg_called(*overridden, "ONLY_HERE").width == 32);
    } else {
        CHECK_THAT(overridden.error().where, Catch::StartsWith("built-in nvme.json"));
    }
}

TEST_CASE("pipes and other odd files in a folder do not hang the search") {
    const Folder folder;
    REQUIRE(::mkfifo(folder.path("pcie.json").c_str(), 0600) == 0);
    const auto map = Catalog({folder.path()}).find("pcie");
    REQUIRE_FALSE(map.has_value());
    CHECK(map.error().what == "not a regular file");
}

TEST_CASE("the most specific map fits") {
    const Folder folder;
    const Catalog catalog({folder.path()});
    CHECK(origin_of(catalog.match(edu)) == "qemu-edu from built in");
    CHECK(origin_of(catalog.match(unknown)) == "pcie from built in"); // {} matches every device
    folder.write("net.json", map_called("net", R"("match": [{"class": "0x020000"}])"));
    CHECK(origin_of(catalog.match(unknown)) == "net from " + folder.path("net.json"));
    folder.write(
        "family.json",
        map_called("family",
                   R"("match": [{"vendor": "0xabcd", "device": {"mask": "0xff00", "value": "0x1200"}}])"));
    CHECK(origin_of(catalog.match(unknown)) == "family from " + folder.path("family.json"));
    folder.write("exact.json",
                 map_called("exact", R"("match": [{"vendor": "0xabcd", "device": [1, "0x1234"]}])"));
    CHECK(origin_of(catalog.match(unknown)) == "exact from " + folder.path("exact.json"));
    folder.write(
        "revision.json",
        map_called("revision", R"("match": [{"vendor": "0xabcd", "device": "0x1234", "revision": 2}])"));
    CHECK(origin_of(catalog.match(unknown)) ==
          "exact from " + folder.path("exact.json")); // revision 2 does not hold
}

TEST_CASE("two maps that fit equally well are an error") {
    const Folder folder;
    folder.write("one.json", map_called("one", R"("match": [{"vendor": "0xabcd", "device": "0x1234"}])"));
    folder.write("two.json", map_called("two", R"("match": [{"vendor": "0xabcd", "device": ["0x1234"]}])"));
    const Catalog catalog({folder.path()});
    const auto found = catalog.match(unknown);
    REQUIRE_FALSE(found.has_value());
    CHECK(found.error().cause == "map-match-conflict");
    CHECK_THAT(found.error().what, Catch::Contains("one and two"));
    CHECK_THAT(found.error().remedy, Catch::Contains("--map"));
    CHECK(origin_of(catalog.match(edu)) == "qemu-edu from built in"); // others are not concerned
}

TEST_CASE("a folder's map stands for the built-in one of its name in matching too") {
    const Folder folder;
    folder.write("qemu-edu.json", map_called("qemu-edu", R"("match": [{"vendor": "0xabcd"}])"));
    const Catalog catalog({folder.path()});
    CHECK(origin_of(catalog.match(unknown)) == "qemu-edu from " + folder.path("qemu-edu.json"));
    CHECK(origin_of(catalog.match(edu)) == "pcie from built in");
}

TEST_CASE("a file that cannot be read might be the one that fits") {
    const Folder folder;
    folder.write("broken.json", "{");
    const auto found = Catalog({folder.path()}).match(edu);
    REQUIRE_FALSE(found.has_value());
    CHECK_THAT(found.error().where, Catch::StartsWith(folder.path("broken.json")));
    CHECK_THAT(found.error().remedy, Catch::Contains("--map"));
}

TEST_CASE("how specific a match is") {
    const RegisterMap map = must_load(map_called("m", R"("match": [{"vendor": 1}, {"vendor": 1, "device": 2},
        {"class": {"mask": "0xff0000", "value": "0x020000"}}])"));
    CHECK(match_specificity(map, {1, 2, 0, 0, 0, 0, false}) == 2 * (4 + 32));
    CHECK(match_specificity(map, {1, 3, 0, 0, 0, 0, false}) == 2 * 4);
    CHECK(match_specificity(map, {9, 3, 0, 0, 0x02abcd, 0, false}) == 1);
    CHECK(match_specificity(map, {9, 3, 0, 0, 0x01abcd, 0, false}) == std::nullopt);
}
