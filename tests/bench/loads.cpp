// Loads per second of the guarded mapping against a bare volatile loop over the same words of the same file,
// and the number of loads a pass makes. Prints figures; the ratios are what counts.
//
//   bench_loads TREE ADDRESS      a simulated machine (make_tree.py) and the device's address in it
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <safety/bar_mapping.h>
#include <safety/gate.h>

namespace {

using namespace barscope::safety;
using Clock = std::chrono::steady_clock;

double seconds_since(Clock::time_point start) {
    return std::chrono::duration<double>(Clock::now() - start).count();
}

// What any reader must do at least: load each word once and keep it.
double bare_loop(const std::string& file, std::vector<std::uint32_t>& out) {
    const int fd = open(file.c_str(), O_RDONLY | O_CLOEXEC);
    const std::size_t bytes = out.size() * sizeof(out[0]);
    void* address = fd < 0 ? MAP_FAILED : mmap(nullptr, bytes, PROT_READ, MAP_SHARED, fd, 0);
    if (address == MAP_FAILED) {
        std::perror(file.c_str());
        std::exit(1);
    }
    const volatile auto* words = static_cast<const volatile std::uint32_t*>(address);
    const std::size_t count = out.size();
    const auto start = Clock::now();
    for (std::size_t i = 0; i < count; ++i) {
        out[i] = words[i];
    }
    const double taken = seconds_since(start);
    munmap(address, bytes);
    close(fd);
    return taken;
}

SpacePlan plan_of(std::size_t words) {
    SpacePlan plan;
    plan.words.resize(words);
    for (std::size_t i = 0; i < words; ++i) {
        plan.words[i] = {.offset = 4 * i, .width = 32, .action = ReadAction::none};
    }
    return plan;
}

double guarded(WordSource& source, const SpacePlan& plan, bool timing, std::uint64_t& loads) {
    const SpaceCapture capture = source.read(plan, {.timing = timing});
    loads = capture.loads;
    return static_cast<double>(capture.elapsed_ns) / 1e9;
}

template <typename T>
void keep_least(T& least, T value) {
    least = value < least ? value : least;
}

} // namespace

int main(int argc, char** argv) {
    if (argc != 3) {
        std::fprintf(stderr, "usage: bench_loads TREE ADDRESS\n");
        return 2;
    }
    const SystemRoot root(argv[1]);
    const auto address = parse_pci_address(argv[2]);
    const auto facts = address ? read_device_facts(root, *address) : barscope::fail(address.error());
    const auto source = facts ? open_bar(ReadOnly{}, root, *facts, 0, {}) : barscope::fail(facts.error());
    if (!source) {
        std::fprintf(stderr, "%s\n", barscope::to_string(source.error()).c_str());
        return 1;
    }
    const std::size_t words = facts->bars[0].size / 4;
    const SpacePlan plan = plan_of(words);
    std::vector<std::uint32_t> out(words);
    double bare = 1e9;
    double untimed = 1e9;
    double timed = 1e9;
    std::uint64_t loads = 0;
    for (int round = 0; round < 30; ++round) { // interleaved, best of: the machine is noisy, the code is not
        keep_least(bare, bare_loop(facts->directory + "/resource0", out));
        keep_least(untimed, guarded(**source, plan, false, loads));
        keep_least(timed, guarded(**source, plan, true, loads));
    }
    const auto count = static_cast<double>(words);
    std::printf("loads: %zu words, %llu loads a pass\n", words, static_cast<unsigned long long>(loads));
    std::printf("loads: bare %.2f ns, guarded %.2f ns (%.2f of the bare rate; 0.80 wanted), timed %.2f ns "
                "(40 allowed)\n",
                bare * 1e9 / count, untimed * 1e9 / count, bare / untimed, timed * 1e9 / count);
    return loads == words ? 0 : 1;
}
