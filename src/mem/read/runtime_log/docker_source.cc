#include "mem/read/runtime_log/docker_source.h"

#include <algorithm>
#include <utility>

#include "mem/model/docker_line.h"
#include "mem/read/runtime_log/rewritten_chunk.h"

namespace ttscope::mem {

void DockerSource::end_line(OpenLine& line, std::string& out) {
  if (line.pieces == 0 && line.text.empty()) return;
  out += line.text;
  out.append(std::max<std::size_t>(line.pieces, 1), '\n');
  line = {};
}

void DockerSource::add_record(std::string_view record, std::string& out) {
  const bool is_error = is_docker_error(record);
  OpenLine& line = open_[is_error ? 1 : 0];
  OpenLine& other = open_[is_error ? 0 : 1];
  // The lines of the other stream's pieces go before this one, so that this keeps its number.
  out.append(std::exchange(other.pieces, 0), '\n');
  ++line.pieces;
  const bool is_whole = append_docker_text(record, line.text);
  if (is_whole || line.text.size() >= io::ChunkSource::kLineLimitBytes) end_line(line, out);
}

std::string DockerSource::unpacked(std::string_view bytes) {
  std::string out;
  out.reserve(bytes.size());
  while (!bytes.empty()) {
    const std::size_t newline = bytes.find('\n');
    add_record(bytes.substr(0, newline), out);
    bytes.remove_prefix(newline == std::string_view::npos ? bytes.size() : newline + 1);
  }
  return out;
}

Result<io::Chunk> DockerSource::next() {
  while (true) {
    Result<io::Chunk> chunk = source_->next();
    if (!chunk) return chunk;
    if (!is_begun_ && !chunk->bytes.empty()) {
      is_begun_ = true;
      is_docker_ = is_docker_line(chunk->bytes);
    }
    if (!is_docker_) return chunk;
    const bool is_end = chunk->bytes.empty();
    std::string text = unpacked(chunk->bytes);
    if (is_end) {
      for (OpenLine& line : open_) end_line(line, text);
    }
    if (!text.empty() || is_end) return rewritten(*chunk, std::move(text));
  }
}

}  // namespace ttscope::mem
