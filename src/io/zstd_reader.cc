// Made by make_zstd_reader() of io/byte_reader.h.
#include <zstd.h>

#include <algorithm>
#include <utility>

#include "io/byte_reader.h"

namespace ttscope::io {
namespace {

struct FreeContext {
  void operator()(ZSTD_DCtx* context) const { ZSTD_freeDCtx(context); }
};

/// Zstandard frames one after another.
class ZstdReader final : public ByteReader {
 public:
  ZstdReader(InputBuffer input, int most_window_log) : input_(std::move(input)), context_(ZSTD_createDCtx()) {
    if (context_) ZSTD_DCtx_setParameter(context_.get(), ZSTD_d_windowLogMax, most_window_log);
  }

  Result<std::size_t> read(char* to, std::size_t room_bytes) override;
  std::uint64_t consumed_bytes() const override { return input_.taken_bytes(); }
  std::string warning() const override { return warning_; }

 private:
  std::size_t decompress_some(char* to, std::size_t room_bytes);
  void stop(const std::string& what);

  InputBuffer input_;
  std::unique_ptr<ZSTD_DCtx, FreeContext> context_;
  bool in_frame_ = true;
  bool ended_ = false;
  std::string warning_;
};

Result<std::size_t> ZstdReader::read(char* to, std::size_t room_bytes) {
  if (!context_) return failure(bad_input(input_.name() + ": not enough memory to decompress"));
  while (!ended_) {
    const std::size_t size_bytes = decompress_some(to, room_bytes);
    if (size_bytes > 0) return size_bytes;
  }
  if (input_.error()) return failure(*input_.error());
  return 0;
}

std::size_t ZstdReader::decompress_some(char* to, std::size_t room_bytes) {
  if (input_.rest().empty()) input_.read_more();
  const std::string_view rest = input_.rest();
  if (rest.empty() && !in_frame_) {
    ended_ = true;
    return 0;
  }
  ZSTD_inBuffer in{rest.data(), rest.size(), 0};
  ZSTD_outBuffer out{to, room_bytes, 0};
  const std::size_t outcome = ZSTD_decompressStream(context_.get(), &out, &in);
  input_.take(in.pos);
  in_frame_ = outcome != 0;
  const std::string near = std::to_string(input_.taken_bytes());
  if (ZSTD_isError(outcome) != 0) {
    stop("the zstd data cannot be read from about byte " + near + " on (" + ZSTD_getErrorName(outcome) + ")");
  } else if (rest.empty() && out.pos == 0) {
    stop("the zstd data end too early, after " + near + " bytes");
  }
  return out.pos;
}

void ZstdReader::stop(const std::string& what) {
  warning_ = input_.name() + ": " + what + "; what could be read up to there was used";
  ended_ = true;
}

}  // namespace

std::unique_ptr<ByteReader> make_zstd_reader(InputBuffer input, int most_window_log) {
  return std::make_unique<ZstdReader>(std::move(input), most_window_log);
}

}  // namespace ttscope::io
