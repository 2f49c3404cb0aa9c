// A saved log as an input: what kind it is, and how to go through it twice.
#include <logs/log_inputs.h>

#include <fcntl.h>
#include <sys/stat.h>

#include <device/files.h>
#include <evidence/snapshot.h>

namespace barscope::tool {

namespace {

using fwlog::Format;

constexpr std::size_t beginning_size = 65536;
constexpr std::size_t most_of_a_pipe = std::size_t{1}
                                       << 24; // kept in memory, so that its summary can come first

class OwningSource final : public fwlog::Source {
  public:
    OwningSource(std::unique_ptr<fwlog::ByteStream> stream, Format format, const fwlog::PatternSet& patterns,
                 std::string name)
        : stream_(std::move(stream)), source_(fwlog::make_source(*stream_, format, patterns)),
          name_(std::move(name)) {}
    Result<bool> next(fwlog::Record& record) override {
        auto more = source_->next(record);
        if (more && *more && !name_.empty()) {
            record.source = name_;
        }
        return more;
    }

    fwlog::PlainRows plain() override {
        fwlog::PlainRows rows = source_->plain();
        if (!name_.empty()) {
            rows.source = name_;
        }
        return rows;
    }

  private:
    std::unique_ptr<fwlog::ByteStream> stream_;
    std::unique_ptr<fwlog::Source> source_;
    std::string name_; // empty: as the format says
};

class SharedText final : public fwlog::ByteStream {
  public:
    explicit SharedText(std::shared_ptr<const std::string> text) : text_(std::move(text)), stream_(*text_) {}
    Result<std::size_t> read(std::span<char> out) override { return stream_.read(out); }

  private:
    std::shared_ptr<const std::string> text_;
    fwlog::MemoryStream stream_;
};

LogInputs described(const std::string& path, Format format) {
    LogInputs inputs;
    inputs.file = path;
    inputs.format = format;
    return inputs;
}

Result<LogInputs> open_pipe(int fd, const LogOptions& options, const fwlog::PatternSet& patterns) {
    auto begun = std::make_shared<std::string>();
    PipeStream pipe(fd, {});
    std::string piece(std::size_t{1} << 16, '\0');
    bool ended = false;
    while (!ended && begun->size() < most_of_a_pipe) {
        const auto got = pipe.read(piece);
        if (!got) {
            return fail(got.error());
        }
        ended = *got == 0;
        begun->append(piece, 0, *got);
    }
    const Format format =
        options.type.value_or(fwlog::detect_format(std::string_view(*begun).substr(0, beginning_size)));
    LogInputs inputs = described("standard input", format);
    if (format == Format::coredump || format == Format::binary) {
        if (!ended) {
            return fail({.code = ErrorCode::bad_input,
                         .cause = "pipe-too-long",
                         .what = "a core dump of more than 16 MiB cannot come through a pipe",
                         .where = "standard input",
                         .remedy = "write it to a file and name that"});
        }
        inputs.owner = begun;
        inputs.bytes = std::make_unique<fwlog::MemoryFile>(
            std::span(reinterpret_cast<const std::uint8_t*>(begun->data()), begun->size()));
        return inputs;
    }
    LogInput input{
        .name = std::string(name(format)), .where = "standard input", .format = format, .once = !ended};
    if (ended) {
        input.open = text_source(begun, format, {}, patterns);
    } else {
        input.open = [fd, begun, format, &patterns] {
            return std::make_unique<OwningSource>(std::make_unique<PipeStream>(fd, *begun), format, patterns,
                                                  std::string());
        };
    }
    inputs.list.push_back(std::move(input));
    return inputs;
}

Result<LogInputs> open_regular(OpenFile file, std::uint64_t size, const std::string& path,
                               const LogOptions& options, const fwlog::PatternSet& patterns) {
    std::string beginning(beginning_size, '\0');
    FileStream stream(file.fd(), path);
    const auto got = stream.read(beginning);
    if (!got) {
        return fail(got.error());
    }
    const Format format =
        options.type.value_or(fwlog::detect_format(std::string_view(beginning).substr(0, *got)));
    auto owned = std::make_shared<OpenFile>(std::move(file));
    const int fd = owned->fd();
    LogInputs inputs = described(path, format);
    inputs.owner = owned;
    if (format == Format::coredump || format == Format::binary) {
        inputs.bytes = std::make_unique<LogFile>(fd, size, path);
        return inputs;
    }
    LogInput input{.name = std::string(name(format)), .where = path, .format = format};
    // Up to the size that the file has now: rows that are added meanwhile would not be in the summary.
    input.open = [fd, size, path, format, &patterns] {
        return std::make_unique<OwningSource>(std::make_unique<FileStream>(fd, path, size), format, patterns,
                                              std::string());
    };
    inputs.list.push_back(std::move(input));
    return inputs;
}

// The one device node that is a log, and whose reading changes nothing.
constexpr std::string_view kernel_ring = "/dev/kmsg";

Result<LogInputs> open_kernel_ring(const std::string& path, const fwlog::PatternSet& patterns) {
    auto text = read_kmsg(path);
    if (!text) {
        return fail(std::move(text.error()));
    }
    LogInputs inputs = described(path, Format::kmsg);
    LogInput input{.name = "kernel log", .where = path, .format = Format::kmsg};
    input.open =
        text_source(std::make_shared<const std::string>(std::move(*text)), Format::kmsg, {}, patterns);
    inputs.list.push_back(std::move(input));
    return inputs;
}

} // namespace

std::function<std::unique_ptr<fwlog::Source>()> text_source(std::shared_ptr<const std::string> text,
                                                            Format format, std::string name,
                                                            const fwlog::PatternSet& patterns) {
    return [text = std::move(text), format, name = std::move(name), &patterns] {
        return std::make_unique<OwningSource>(std::make_unique<SharedText>(text), format, patterns, name);
    };
}

Result<LogInputs> open_log_file(const std::string& path, const LogOptions& options,
                                const fwlog::PatternSet& patterns) {
    if (path == kernel_ring) {
        return open_kernel_ring(path, patterns);
    }
    if (!options.type && path != "-" && holds_snapshot(path)) {
        return open_snapshot_logs(path, patterns);
    }
    auto opened = open_user_file(path);
    if (!opened) {
        return fail(std::move(opened.error()));
    }
    OpenFile file(*opened);
    struct stat status {};
    if (::fstat(file.fd(), &status) == 0 && S_ISREG(status.st_mode)) {
        if (status.st_size == 0) {
            LogInputs inputs = described(path, options.type.value_or(Format::rows));
            inputs.list.push_back(
                {.name = "rows",
                 .where = path,
                 .open = text_source(std::make_shared<std::string>(), Format::rows, {}, patterns)});
            return inputs;
        }
        return open_regular(std::move(file), static_cast<std::uint64_t>(status.st_size), path, options,
                            patterns);
    }
    const int fd = file.fd();
    auto inputs = open_pipe(fd, options, patterns);
    if (inputs && inputs->owner == nullptr) {
        inputs->owner = std::make_shared<OpenFile>(std::move(file));
    }
    return inputs;
}

} // namespace barscope::tool
