#include <evidence/compression.h>

#include <memory>

#include <zstd.h>

namespace barscope::tool {

namespace {

constexpr int level = 6;
constexpr std::size_t piece = std::size_t{1} << 20;

struct FreeStream {
    void operator()(ZSTD_DStream* stream) const { ZSTD_freeDStream(stream); }
};

Error damaged(const std::string& where, const char* what) {
    return {.code = ErrorCode::bad_input,
            .cause = "bad-zstd",
            .what = std::string("the compressed file cannot be unpacked: ") + what,
            .where = where,
            .remedy = "it is cut or damaged; fetch it again"};
}

} // namespace

bool is_zstd(std::string_view bytes) {
    return bytes.starts_with("\x28\xb5\x2f\xfd");
}

Result<std::string> compress_zstd(std::string_view bytes) {
    std::string out(ZSTD_compressBound(bytes.size()), '\0');
    const std::size_t size = ZSTD_compress(out.data(), out.size(), bytes.data(), bytes.size(), level);
    if (ZSTD_isError(size) != 0U) {
        return fail({.code = ErrorCode::output,
                     .cause = "compression-failed",
                     .what = std::string("the document could not be compressed: ") + ZSTD_getErrorName(size),
                     .where = {},
                     .remedy = "write it as .json"});
    }
    out.resize(size);
    return out;
}

Result<std::string> decompress_zstd(std::string_view bytes, std::size_t limit, const std::string& where) {
    const std::unique_ptr<ZSTD_DStream, FreeStream> stream(ZSTD_createDStream());
    std::string out;
    ZSTD_inBuffer in{bytes.data(), bytes.size(), 0};
    std::size_t state = 1; // 0: a frame has ended
    while (in.pos < in.size || state != 0) {
        const std::size_t filled = out.size();
        if (filled > limit) {
            return fail(
                {.code = ErrorCode::bad_input,
                 .cause = "too-large",
                 .what = "the compressed file unpacks to more than " + std::to_string(limit >> 20) + " MiB",
                 .where = where,
                 .remedy = "no snapshot is that large"});
        }
        out.resize(filled + piece);
        ZSTD_outBuffer to{out.data() + filled, piece, 0};
        const std::size_t before = in.pos;
        state = ZSTD_decompressStream(stream.get(), &to, &in);
        out.resize(filled + to.pos);
        if (ZSTD_isError(state) != 0U) {
            return fail(damaged(where, ZSTD_getErrorName(state)));
        }
        if (state != 0 && to.pos == 0 && in.pos == before) {
            return fail(damaged(where, "it ends too early"));
        }
    }
    return out;
}

} // namespace barscope::tool
