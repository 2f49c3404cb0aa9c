// Rows of one device in what devlink prints of all. The form is iproute2 6.1's.
#include <catch2/catch.hpp>

#include <logs/devlink_text.h>

using barscope::tool::devlink_section;

TEST_CASE("a device's rows, its ports' too, and those of no other") {
    const std::string output = "pci/0000:3b:00.0:\n  reporter fw\n    state healthy error 0 recover 0\n"
                               "pci/0000:3b:00.1:\n  reporter fw\n    state error error 1 recover 0\n"
                               "pci/0000:3b:00.0/1:\n  reporter tx\n    state healthy error 2 recover 2\n"
                               "pci/0000:3b:00.01:\n  reporter odd\n";
    CHECK(devlink_section(output, "pci/0000:3b:00.0") ==
          "pci/0000:3b:00.0:\n  reporter fw\n    state healthy error 0 recover 0\n"
          "pci/0000:3b:00.0/1:\n  reporter tx\n    state healthy error 2 recover 2\n");
    CHECK(devlink_section(output, "pci/0000:3b:00.1") ==
          "pci/0000:3b:00.1:\n  reporter fw\n    state error error 1 recover 0\n");
    CHECK(devlink_section(output, "pci/0000:3c:00.0").empty());
    CHECK(devlink_section("", "pci/0000:3c:00.0").empty());
    CHECK(devlink_section("pci/0000:3c:00.0:", "pci/0000:3c:00.0") == "pci/0000:3c:00.0:\n");
}
