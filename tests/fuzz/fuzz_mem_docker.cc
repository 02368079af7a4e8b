// The file that docker keeps of a container's output: pieces of lines of two streams.
#include <algorithm>
#include <memory>
#include <string>

#include "fuzz/fuzz_target.h"
#include "mem/read/log_reader.h"

namespace ttscope::mem {
namespace {

using fuzz::require;

/// Gives a text as two chunks, the first of which ends with a line.
class TwoChunks : public io::ChunkSource {
 public:
  TwoChunks(std::string_view text, std::size_t first_bytes) : text_(text), first_bytes_(first_bytes) {}
  Result<io::Chunk> next() override {
    io::Chunk chunk;
    chunk.bytes = text_.substr(0, first_bytes_ == 0 ? text_.size() : first_bytes_);
    text_.remove_prefix(chunk.bytes.size());
    first_bytes_ = 0;
    return chunk;
  }
  std::uint64_t total_bytes() const override { return 0; }
  std::uint64_t consumed_bytes() const override { return 0; }

 private:
  std::string_view text_;
  std::size_t first_bytes_;
};

std::string unpacked(std::string_view text, std::size_t first_bytes) {
  DockerSource source(std::make_unique<TwoChunks>(text, first_bytes));
  std::string out;
  for (auto chunk = source.next(); chunk && !chunk->bytes.empty(); chunk = source.next()) out += chunk->bytes;
  return out;
}

TTSCOPE_FUZZ_TARGET(mem_docker) {
  const std::string records = "{\"log\":\"first\\n\",\"stream\":\"stdout\"}\n" + std::string(text);
  const std::string whole = unpacked(records, 0);
  const std::size_t half = records.find('\n', records.size() / 2);
  if (half != std::string::npos) require(unpacked(records, half + 1) == whole, "chunks do not matter");
  const auto lines = [](const std::string& of) { return std::count(of.begin(), of.end(), '\n'); };
  require(lines(whole) >= lines(records), "every line keeps its number");
  require(lines(whole) <= lines(records) + 3, "no lines are added but for what is left open");
}

}  // namespace
}  // namespace ttscope::mem
