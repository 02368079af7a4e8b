#include "timeline/write/tracy/block_writer.h"

#include <lz4.h>

namespace ttscope::timeline {

struct BlockWriter::Packer {
  Packer() : stream(LZ4_createStream()), packed(static_cast<std::size_t>(LZ4_COMPRESSBOUND(kBlockBytes))) {}
  ~Packer() { LZ4_freeStream(stream); }
  Packer(const Packer&) = delete;
  Packer& operator=(const Packer&) = delete;

  LZ4_stream_t* stream;
  std::vector<char> packed;
};

BlockWriter::BlockWriter(Writer& out) : out_(out), packer_(std::make_unique<Packer>()) {}

BlockWriter::~BlockWriter() = default;

void BlockWriter::flush() {
  if (used_ == 0) return;
  if (!started_) out_.write({"tlZ\x04", 4});
  started_ = true;
  const int size =
      LZ4_compress_fast_continue(packer_->stream, buffers_[turn_].data(), packer_->packed.data(),
                                 static_cast<int>(used_), static_cast<int>(packer_->packed.size()), 1);
  const auto bytes = static_cast<std::uint32_t>(size);
  out_.write({reinterpret_cast<const char*>(&bytes), sizeof(bytes)});
  out_.write({packer_->packed.data(), bytes});
  turn_ = 1 - turn_;
  used_ = 0;
}

void BlockWriter::finish() { flush(); }

}  // namespace ttscope::timeline
