#include <demo/tree_writer.h>

#include <cerrno>
#include <cstring>
#include <memory>
#include <utility>
#include <vector>

#include <dirent.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

namespace barscope::tool {

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
    Descriptor& operator=(Descriptor&& other) noexcept {
        std::swap(fd_, other.fd_);
        return *this;
    }
    int get() const { return fd_; }
    int release() { return std::exchange(fd_, -1); }

  private:
    int fd_;
};

constexpr int folder_flags = O_RDONLY | O_DIRECTORY | O_CLOEXEC;

bool is_empty(int folder) {
    const int copy = ::openat(folder, ".", folder_flags);
    const std::unique_ptr<DIR, int (*)(DIR*)> stream(copy < 0 ? nullptr : ::fdopendir(copy), ::closedir);
    if (!stream) {
        return false;
    }
    while (const dirent* entry = ::readdir(stream.get())) {
        const std::string_view name = entry->d_name;
        if (name != "." && name != "..") {
            return false;
        }
    }
    return true;
}

std::pair<std::string_view, std::string> split(std::string_view path) {
    const std::size_t slash = path.rfind('/');
    if (slash == std::string_view::npos) {
        return {std::string_view(), std::string(path)};
    }
    return {path.substr(0, slash), std::string(path.substr(slash + 1))};
}

} // namespace

TreeWriter::TreeWriter(const std::string& dir, const std::string& marker) : dir_(dir) {
    if (::mkdir(dir.c_str(), 0755) != 0 && errno != EEXIST) {
        failed("create folder", "");
        return;
    }
    root_ = ::open(dir.c_str(), folder_flags);
    if (root_ < 0) {
        failed("open folder", "");
        return;
    }
    if (!is_empty(root_) && ::faccessat(root_, marker.c_str(), F_OK, AT_SYMLINK_NOFOLLOW) != 0) {
        failed_ = true;
        error_ = {ErrorCode::output, "folder-not-empty", "the folder is not empty and holds no earlier demo",
                  dir_, "name a folder that does not exist yet"};
        return;
    }
    text(marker, "A simulated machine, written by barscope demo. It may be deleted.\n");
}

TreeWriter::~TreeWriter() {
    if (root_ >= 0) {
        ::close(root_);
    }
}

void TreeWriter::failed(std::string_view action, std::string_view path) {
    if (!failed_) {
        failed_ = true;
        error_ = {ErrorCode::output, "demo-not-written",
                  "cannot " + std::string(action) + ": " + std::strerror(errno),
                  dir_ + (path.empty() ? "" : "/" + std::string(path)), "name another folder"};
    }
}

// Returns a descriptor that the caller owns, or -1.
int TreeWriter::open_folder(std::string_view path) {
    Descriptor folder(::openat(root_, ".", folder_flags));
    std::string_view rest = path;
    while (!rest.empty() && folder.get() >= 0) {
        const std::string name(rest.substr(0, rest.find('/')));
        rest.remove_prefix(std::min(rest.size(), name.size() + 1));
        if (::mkdirat(folder.get(), name.c_str(), 0755) != 0 && errno != EEXIST) {
            failed("create folder", path);
            return -1;
        }
        folder = Descriptor(::openat(folder.get(), name.c_str(), folder_flags | O_NOFOLLOW));
    }
    if (folder.get() < 0) {
        failed("open folder", path);
    }
    return folder.release();
}

int TreeWriter::open_file(std::string_view path) {
    if (failed_) {
        return -1;
    }
    const auto [parent, name] = split(path);
    const Descriptor folder(open_folder(parent));
    if (folder.get() < 0) {
        return -1;
    }
    const int fd =
        ::openat(folder.get(), name.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_NOFOLLOW | O_CLOEXEC, 0644);
    if (fd < 0) {
        failed("create file", path);
    }
    return fd;
}

void TreeWriter::write(int fd, std::string_view path, const void* from, std::size_t size,
                       std::uint64_t offset) {
    const char* at = static_cast<const char*>(from);
    while (size > 0) {
        const ssize_t written = ::pwrite(fd, at, size, static_cast<off_t>(offset));
        if (written < 0 && errno == EINTR) {
            continue;
        }
        if (written <= 0) {
            failed("write", path);
            return;
        }
        at += written;
        offset += static_cast<std::uint64_t>(written);
        size -= static_cast<std::size_t>(written);
    }
}

void TreeWriter::text(std::string_view path, std::string_view content) {
    const Descriptor file(open_file(path));
    if (file.get() >= 0) {
        write(file.get(), path, content.data(), content.size(), 0);
    }
}

void TreeWriter::bytes(std::string_view path, std::span<const std::uint8_t> content) {
    const Descriptor file(open_file(path));
    if (file.get() >= 0) {
        write(file.get(), path, content.data(), content.size(), 0);
    }
}

void TreeWriter::memory(std::string_view path, std::uint64_t size, std::span<const Datum> data) {
    const Descriptor file(open_file(path));
    if (file.get() < 0) {
        return;
    }
    if (::ftruncate(file.get(), static_cast<off_t>(size)) != 0) {
        failed("size file", path);
        return;
    }
    for (const Datum& datum : data) {
        std::vector<std::uint8_t> little(datum.bytes);
        for (unsigned i = 0; i < datum.bytes; ++i) {
            little[i] = static_cast<std::uint8_t>(datum.value >> (8 * i));
        }
        write(file.get(), path, little.data(), little.size(), datum.offset);
    }
}

void TreeWriter::link(std::string_view path, const std::string& target) {
    if (failed_) {
        return;
    }
    const auto [parent, name] = split(path);
    const Descriptor folder(open_folder(parent));
    if (folder.get() < 0) {
        return;
    }
    if (::unlinkat(folder.get(), name.c_str(), 0) != 0 && errno != ENOENT) {
        failed("replace link", path);
    } else if (::symlinkat(target.c_str(), folder.get(), name.c_str()) != 0) {
        failed("create link", path);
    }
}

void TreeWriter::folder(std::string_view path) {
    if (!failed_) {
        const Descriptor made(open_folder(path));
    }
}

Result<void> TreeWriter::result() const {
    if (failed_) {
        return fail(error_);
    }
    return {};
}

} // namespace barscope::tool
