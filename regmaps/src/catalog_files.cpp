#include "catalog_files.h"

#include <algorithm>
#include <cerrno>
#include <memory>
#include <system_error>

#include <dirent.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <fmt/format.h>

#include "json_scanner.h"
#include <regmaps/prefault.h>

namespace barscope::regmaps {

namespace {

class Descriptor {
  public:
    explicit Descriptor(int fd) : fd_(fd) {}
    ~Descriptor() {
        if (fd_ >= 0) {
            ::close(fd_);
        }
    }
    Descriptor(const Descriptor&) = delete;
    Descriptor& operator=(const Descriptor&) = delete;
    int get() const { return fd_; }

  private:
    int fd_;
};

tl::unexpected<Error> cannot(std::string_view what, const std::string& path, int error) {
    const bool denied = error == EACCES || error == EPERM;
    return fail({denied ? ErrorCode::permission : ErrorCode::bad_input, "map-unreadable",
                 fmt::format("cannot {}: {}", what, std::generic_category().message(error)), path,
                 denied ? "run as a user who may read it" : "check the path"});
}

tl::unexpected<Error> no_regular_file(const std::string& path) {
    return fail({ErrorCode::bad_input, "map-unreadable", "not a regular file", path, "name a JSON file"});
}

// Reads on until the end of the file or the size limit.
Result<void> read_all(int fd, const std::string& path, std::string& text, std::size_t expected) {
    std::size_t size = 0;
    text.reserve(expected + 1);
    prefault(text.data(), text.capacity());
    text.resize(expected + 1); // one more, so that the end is seen without growing
    while (true) {
        const ssize_t got = ::read(fd, text.data() + size, text.size() - size);
        if (got < 0 && errno == EINTR) {
            continue;
        }
        if (got < 0) {
            return cannot("read the map", path, errno);
        }
        if (got == 0) {
            break;
        }
        size += static_cast<std::size_t>(got);
        if (size > max_document_size) {
            return fail({ErrorCode::bad_input, "map-too-large",
                         fmt::format("the file has more than {} bytes", max_document_size), path,
                         "split the map"});
        }
        if (size == text.size()) {
            text.resize(text.size() * 2 + 4096);
        }
    }
    text.resize(size);
    return {};
}

} // namespace

Result<std::optional<std::string>> read_map_file(const std::string& path) {
    struct stat status {};
    if (::stat(path.c_str(), &status) == 0 && !S_ISREG(status.st_mode)) {
        return no_regular_file(path);
    }
    const Descriptor file(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK));
    if (file.get() < 0) {
        if (errno == ENOENT || errno == ENOTDIR) {
            return std::nullopt;
        }
        return cannot("open the map", path, errno);
    }
    if (::fstat(file.get(), &status) != 0) {
        return cannot("examine the map", path, errno);
    }
    if (!S_ISREG(status.st_mode)) { // exchanged meanwhile
        return no_regular_file(path);
    }
    const std::size_t expected =
        status.st_size > 0 ? std::min(static_cast<std::size_t>(status.st_size), max_document_size) : 0;
    std::string text;
    if (auto done = read_all(file.get(), path, text, expected); !done) {
        return fail(std::move(done.error()));
    }
    return text;
}

bool is_map_name(std::string_view name) {
    return !name.empty() && std::all_of(name.begin(), name.end(), [](char c) {
        return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '-';
    });
}

bool is_map_path(std::string_view name_or_path) {
    return name_or_path.find('/') != std::string_view::npos || name_or_path.ends_with(".json");
}

std::string map_path(const std::string& folder, std::string_view name) {
    return fmt::format("{}/{}.json", folder, name);
}

std::string map_name_of(std::string_view path) {
    const std::size_t slash = path.rfind('/');
    std::string_view name = slash == std::string_view::npos ? path : path.substr(slash + 1);
    if (name.ends_with(".json")) {
        name.remove_suffix(5);
    }
    return std::string(name);
}

std::string folder_of(std::string_view path) {
    const std::size_t slash = path.rfind('/');
    return slash == std::string_view::npos ? "." : slash == 0 ? "/" : std::string(path.substr(0, slash));
}

Result<void> list_folder(const std::string& folder, std::map<std::string, std::string>& paths) {
    const std::unique_ptr<DIR, int (*)(DIR*)> directory(::opendir(folder.c_str()), ::closedir);
    if (!directory) {
        if (errno == ENOENT || errno == ENOTDIR) {
            return {};
        }
        return cannot("open the folder of maps", folder, errno);
    }
    errno = 0;
    while (const dirent* const entry = ::readdir(directory.get())) { // NOLINT(concurrency-mt-unsafe)
        const std::string_view file = entry->d_name;
        if (file.ends_with(".json") && is_map_name(map_name_of(file))) {
            paths[map_name_of(file)] = fmt::format("{}/{}", folder, file);
        }
        errno = 0;
    }
    if (errno != 0) {
        return cannot("read the folder of maps", folder, errno);
    }
    return {};
}

} // namespace barscope::regmaps
