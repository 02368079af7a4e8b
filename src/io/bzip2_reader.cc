// Made by make_bzip2_reader() of io/byte_reader.h.
#include <bzlib.h>

#include <algorithm>
#include <limits>
#include <utility>

#include "io/byte_reader.h"

namespace ttscope::io {
namespace {

/// Streams of bzip2 one after another, as parallel packers write them.
class Bzip2Reader final : public ByteReader {
 public:
  explicit Bzip2Reader(InputBuffer input) : input_(std::move(input)) { start(); }
  ~Bzip2Reader() override { BZ2_bzDecompressEnd(&stream_); }
  Bzip2Reader(const Bzip2Reader&) = delete;
  Bzip2Reader& operator=(const Bzip2Reader&) = delete;

  Result<std::size_t> read(char* to, std::size_t room_bytes) override;
  std::uint64_t consumed_bytes() const override { return input_.taken_bytes(); }
  std::string warning() const override { return warning_; }

 private:
  void start() { started_ = BZ2_bzDecompressInit(&stream_, 0, 0) == BZ_OK; }
  std::size_t decompress_some(char* to, std::size_t room_bytes);
  void finish_stream();
  void stop(const std::string& what);

  InputBuffer input_;
  bz_stream stream_{};
  bool started_ = false;
  bool ended_ = false;
  std::string warning_;
};

Result<std::size_t> Bzip2Reader::read(char* to, std::size_t room_bytes) {
  while (!ended_) {
    if (!started_) return failure(bad_input(input_.name() + ": not enough memory to decompress"));
    const std::size_t size_bytes = decompress_some(to, room_bytes);
    if (size_bytes > 0) return size_bytes;
  }
  if (input_.error()) return failure(*input_.error());
  return 0;
}

std::size_t Bzip2Reader::decompress_some(char* to, std::size_t room_bytes) {
  constexpr std::size_t kMostBytes = std::numeric_limits<unsigned>::max();
  const bool input_ended = input_.rest().empty() && !input_.read_more();
  const std::string_view rest = input_.rest();
  const auto room = static_cast<unsigned>(std::min(room_bytes, kMostBytes));
  stream_.next_in = const_cast<char*>(rest.data());
  stream_.avail_in = static_cast<unsigned>(std::min(rest.size(), kMostBytes));
  const unsigned offered = stream_.avail_in;
  stream_.next_out = to;
  stream_.avail_out = room;
  const int outcome = BZ2_bzDecompress(&stream_);
  input_.take(offered - stream_.avail_in);
  const std::size_t size_bytes = room - stream_.avail_out;
  const std::string near = std::to_string(input_.taken_bytes());
  if (outcome == BZ_STREAM_END) {
    finish_stream();
  } else if (outcome != BZ_OK) {
    stop("the bzip2 data are damaged near byte " + near + "; what could be read up to there was used");
  } else if (input_ended && size_bytes == 0) {
    stop("the bzip2 data end too early, after " + near + " bytes; what could be read up to there was used");
  }
  return size_bytes;
}

/// Goes on with the next stream if there is one.
void Bzip2Reader::finish_stream() {
  BZ2_bzDecompressEnd(&stream_);
  stream_ = {};
  while (input_.rest().size() < kMagicBytes && input_.read_more()) {
  }
  if (compression_of(input_.rest()) == Compression::kBzip2) return start();
  ended_ = true;
  if (input_.rest().empty()) return;
  stop("the bytes after the bzip2 data, from byte " + std::to_string(input_.taken_bytes()) +
       ", were ignored");
}

void Bzip2Reader::stop(const std::string& what) {
  warning_ = input_.name() + ": " + what;
  ended_ = true;
}

}  // namespace

std::unique_ptr<ByteReader> make_bzip2_reader(InputBuffer input) {
  return std::make_unique<Bzip2Reader>(std::move(input));
}

}  // namespace ttscope::io
