// Made by make_xz_reader() of io/byte_reader.h.
#include <lzma.h>

#include <utility>

#include "io/byte_reader.h"

namespace ttscope::io {
namespace {

/// As for zstd: an input that asks for more memory than any preset of xz needs is not believed.
constexpr std::uint64_t kMostMemoryBytes = std::uint64_t{128} << 20;

/// Streams of xz one after another, with or without padding between them.
class XzReader final : public ByteReader {
 public:
  explicit XzReader(InputBuffer input) : input_(std::move(input)) {
    started_ = lzma_stream_decoder(&stream_, kMostMemoryBytes, LZMA_CONCATENATED) == LZMA_OK;
  }
  ~XzReader() override { lzma_end(&stream_); }
  XzReader(const XzReader&) = delete;
  XzReader& operator=(const XzReader&) = delete;

  Result<std::size_t> read(char* to, std::size_t room_bytes) override;
  std::uint64_t consumed_bytes() const override { return input_.taken_bytes(); }
  std::string warning() const override { return warning_; }

 private:
  std::size_t decompress_some(char* to, std::size_t room_bytes);
  void judge(lzma_ret outcome);
  void stop(const std::string& what);

  InputBuffer input_;
  lzma_stream stream_ = LZMA_STREAM_INIT;
  bool started_ = false;
  bool ended_ = false;
  std::string warning_;
};

Result<std::size_t> XzReader::read(char* to, std::size_t room_bytes) {
  if (!started_) return failure(bad_input(input_.name() + ": not enough memory to decompress"));
  while (!ended_) {
    const std::size_t size_bytes = decompress_some(to, room_bytes);
    if (size_bytes > 0) return size_bytes;
  }
  if (input_.error()) return failure(*input_.error());
  return 0;
}

std::size_t XzReader::decompress_some(char* to, std::size_t room_bytes) {
  const bool input_ended = input_.rest().empty() && !input_.read_more();
  const std::string_view rest = input_.rest();
  stream_.next_in = reinterpret_cast<const std::uint8_t*>(rest.data());
  stream_.avail_in = rest.size();
  stream_.next_out = reinterpret_cast<std::uint8_t*>(to);
  stream_.avail_out = room_bytes;
  const lzma_ret outcome = lzma_code(&stream_, input_ended ? LZMA_FINISH : LZMA_RUN);
  input_.take(rest.size() - stream_.avail_in);
  judge(outcome);
  return room_bytes - stream_.avail_out;
}

void XzReader::judge(lzma_ret outcome) {
  const std::string near = std::to_string(input_.taken_bytes());
  if (outcome == LZMA_STREAM_END) {
    ended_ = true;
  } else if (outcome == LZMA_BUF_ERROR) {  // no progress: the input is at its end
    stop("the xz data end too early, after " + near + " bytes");
  } else if (outcome == LZMA_MEMLIMIT_ERROR) {
    stop("the xz data ask for more than 128 MiB to decompress them, near byte " + near);
  } else if (outcome != LZMA_OK) {
    stop("the xz data are damaged near byte " + near);
  }
}

void XzReader::stop(const std::string& what) {
  warning_ = input_.name() + ": " + what + "; what could be read up to there was used";
  ended_ = true;
}

}  // namespace

std::unique_ptr<ByteReader> make_xz_reader(InputBuffer input) {
  return std::make_unique<XzReader>(std::move(input));
}

}  // namespace ttscope::io
