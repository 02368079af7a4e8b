#include "mem/read/runtime_log/docker_source.h"

#include "mem/model/docker_line.h"

namespace ttscope::mem {

void DockerSource::end_line(std::string& out) {
  if (pieces_ == 0) return;
  out += open_;
  out.append(pieces_, '\n');
  open_.clear();
  pieces_ = 0;
}

std::string DockerSource::unpacked(std::string_view bytes) {
  std::string out;
  out.reserve(bytes.size() + open_.size());
  while (!bytes.empty()) {
    const std::size_t newline = bytes.find('\n');
    const std::string_view line = bytes.substr(0, newline);
    bytes.remove_prefix(newline == std::string_view::npos ? bytes.size() : newline + 1);
    ++pieces_;
    const bool is_whole = append_docker_text(line, open_);
    if (is_whole || open_.size() >= io::ChunkSource::kLineLimitBytes) end_line(out);
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
    auto text = std::make_shared<std::string>(unpacked(chunk->bytes));
    if (is_end) end_line(*text);
    if (text->empty() && !is_end) continue;
    io::Chunk lines;
    lines.bytes = *text;
    lines.cut_line = chunk->cut_line;
    lines.owner = std::move(text);
    return lines;
  }
}

}  // namespace ttscope::mem
