// Loading a register map from JSON against nlohmann's parse of the same text into its own document.
//
//   bench_loader MAP.json
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <string>

#include <nlohmann/json.hpp>

#include <regmaps/loader.h>

namespace {

template <typename Work>
double milliseconds(Work work) {
    const auto start = std::chrono::steady_clock::now();
    work();
    return std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start).count();
}

barscope::Result<barscope::regmaps::MapText> no_includes(std::string_view name) {
    return barscope::fail({barscope::ErrorCode::bad_input, "", "no map " + std::string(name), "", ""});
}

} // namespace

int main(int argc, char** argv) {
    if (argc != 2) {
        std::fprintf(stderr, "usage: bench_loader MAP.json\n");
        return 2;
    }
    std::ifstream file(argv[1], std::ios::binary);
    const std::string text((std::istreambuf_iterator<char>(file)), std::istreambuf_iterator<char>());
    double parse = 1e9;
    double load = 1e9;
    std::size_t registers = 0;
    for (int round = 0; round < 7; ++round) {
        parse = std::min(parse,
                         milliseconds([&] { registers = nlohmann::json::parse(text)["registers"].size(); }));
        load = std::min(load, milliseconds([&] {
                            const auto map = barscope::regmaps::load_map(text, argv[1], no_includes);
                            if (!map || map->registers.size() != registers) {
                                std::fprintf(stderr, "bench_loader: %s\n",
                                             map ? "not all registers were loaded"
                                                 : barscope::to_string(map.error()).c_str());
                                std::exit(1);
                            }
                        }));
    }
    std::printf("loader: %zu registers, %.1f MB: parse into nlohmann's document %.1f ms, load %.1f ms "
                "(%.2fx; 1.00x allowed)\n",
                registers, static_cast<double>(text.size()) / 1e6, parse, load, load / parse);
    return 0;
}
