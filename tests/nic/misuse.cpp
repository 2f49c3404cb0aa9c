// Does to a BAR what barscope never does, to show that the judges notice: writes, loads of any width, again
// and again.
//
//     nic_misuse BAR-FILE ACTION...      ACTION: rSIZE:OFFSET[*TIMES] or wSIZE:OFFSET=VALUE, with SIZE 1, 2,
//     4 or 8 bytes
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>

namespace {

template <typename Word>
void access(volatile std::uint8_t* place, bool write, std::uint64_t value) {
    auto* word = reinterpret_cast<volatile Word*>(place);
    if (write) {
        *word = static_cast<Word>(value);
    } else {
        static_cast<void>(*word);
    }
}

bool act(volatile std::uint8_t* memory, std::size_t size, const std::string& action) {
    const bool write = action[0] == 'w';
    const char* text = action.c_str() + 1;
    char* rest = nullptr;
    const std::size_t bytes = std::strtoul(text, &rest, 10);
    if (*rest != ':') {
        return false;
    }
    const std::size_t offset = std::strtoul(rest + 1, &rest, 0);
    const char next = *rest;
    const std::uint64_t number = next == '\0' ? 1 : std::strtoull(rest + 1, nullptr, 0);
    if (offset + bytes > size || offset % bytes != 0) {
        return false;
    }
    for (std::uint64_t i = 0; i < (write ? 1 : number); ++i) {
        switch (bytes) {
        case 1:
            access<std::uint8_t>(memory + offset, write, number);
            break;
        case 2:
            access<std::uint16_t>(memory + offset, write, number);
            break;
        case 4:
            access<std::uint32_t>(memory + offset, write, number);
            break;
        case 8:
            access<std::uint64_t>(memory + offset, write, number);
            break;
        default:
            return false;
        }
    }
    return true;
}

} // namespace

int main(int count, char** arguments) {
    const int file = count > 2 ? open(arguments[1], O_RDWR | O_SYNC | O_CLOEXEC) : -1;
    struct stat status {};
    if (file < 0 || fstat(file, &status) != 0) {
        std::fputs("usage: nic_misuse BAR-FILE ACTION...\n", stderr);
        return 2;
    }
    const auto size = static_cast<std::size_t>(status.st_size);
    void* memory = mmap(nullptr, size, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
    if (memory == MAP_FAILED) {
        std::perror("nic_misuse: mmap");
        return 1;
    }
    for (int i = 2; i < count; ++i) {
        if (!act(static_cast<volatile std::uint8_t*>(memory), size, arguments[i])) {
            std::fprintf(stderr, "nic_misuse: not an action: %s\n", arguments[i]);
            return 2;
        }
    }
    return 0;
}
