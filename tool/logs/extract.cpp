#include <logs/extract.h>

#include <algorithm>
#include <cerrno>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <fmt/format.h>

#include <device/files.h>
#include <logs/log_streams.h>

namespace barscope::tool {

namespace {

constexpr std::uint64_t most_segment = std::uint64_t{1} << 28, most_together = std::uint64_t{1} << 32;

Error output_error(int error, const std::string& path, std::string remedy) {
    return {.code = ErrorCode::output,
            .cause = "output-failed",
            .what = "cannot be written: " + errno_text(error),
            .where = path,
            .remedy = std::move(remedy)};
}

Result<void> make_folder(const std::string& folder) {
    if (::mkdir(folder.c_str(), 0700) != 0) {
        return fail(output_error(errno, folder, "name a folder that does not exist yet"));
    }
    return {};
}

// Always a new file, never through a link.
Result<OpenFile> make_file(const std::string& path) {
    OpenFile file(::open(path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600));
    if (file.fd() < 0) {
        return fail(output_error(errno, path, {}));
    }
    return file;
}

int write_all(int fd, std::span<const std::uint8_t> bytes) {
    while (!bytes.empty()) {
        const ssize_t written = ::write(fd, bytes.data(), bytes.size());
        if (written < 0 && errno != EINTR) {
            return errno;
        }
        bytes = bytes.subspan(written > 0 ? static_cast<std::size_t>(written) : 0);
    }
    return 0;
}

std::string file_name(std::size_t number, const fwlog::Segment& segment) {
    if (segment.unrecognised) {
        return fmt::format("{:05}-no-segment.bin", number);
    }
    std::string name =
        fmt::format("{:05}-{:x}-{:x}-{}", number, segment.component, segment.id, segment.instance);
    if (!segment.name.empty()) {
        name += "-" + std::string(segment.name);
    }
    std::replace_if(
        name.begin(), name.end(), [](char c) { return c == ' ' || c == '/' || c == '(' || c == ')'; }, '_');
    return name + ".bin";
}

} // namespace

Result<std::vector<WrittenSegment>> extract_segments(fwlog::ByteFile& file, const fwlog::CoreDump& dump,
                                                     const std::string& folder) {
    if (auto made = make_folder(folder); !made) {
        return fail(std::move(made.error()));
    }
    std::vector<WrittenSegment> written;
    std::uint64_t left = most_together;
    for (std::size_t i = 0; i < dump.segments.size(); ++i) {
        const std::string path = folder + "/" + file_name(i, dump.segments[i]);
        auto out = make_file(path);
        if (!out) {
            return fail(std::move(out.error()));
        }
        int error = 0;
        auto extracted = fwlog::extract_segment(file, dump.segments[i], std::min(most_segment, left),
                                                [&](std::span<const std::uint8_t> bytes) {
                                                    error = write_all(out->fd(), bytes);
                                                    return error == 0;
                                                });
        if (error != 0) {
            return fail(output_error(error, path, "free some space or write elsewhere"));
        }
        if (!extracted) {
            return fail(std::move(extracted.error()));
        }
        left -= std::min(left, extracted->bytes);
        written.push_back({path, std::move(*extracted)});
    }
    return written;
}

Result<void> write_blobs(const std::vector<std::pair<std::string, std::string>>& blobs,
                         const std::string& folder) {
    if (auto made = make_folder(folder); !made) {
        return made;
    }
    for (const auto& [name, bytes] : blobs) {
        const std::string path = folder + "/" + name;
        auto out = make_file(path);
        if (!out) {
            return fail(std::move(out.error()));
        }
        const int error =
            write_all(out->fd(), {reinterpret_cast<const std::uint8_t*>(bytes.data()), bytes.size()});
        if (error != 0) {
            return fail(output_error(error, path, "free some space or write elsewhere"));
        }
    }
    return {};
}

} // namespace barscope::tool
