#include "phases/read/phase_log/phase_log_reader.h"

#include "phases/read/phase_log/summary_builder.h"

namespace ttscope::phases {
namespace {

class LogLines {
 public:
  LogLines(PhaseLog& log, std::uint32_t file) : log_(log), file_(file), builder_(log, file) {}

  Result<void> read(io::ChunkSource& source) {
    while (true) {
      Result<io::Chunk> chunk = source.next();
      if (!chunk) return failure(chunk.error());
      if (chunk->bytes.empty()) break;
      add_lines(chunk->bytes);
      if (chunk->cut_line) log_.problems.add(PhaseProblem::kLineTooLong, {file_, lines_});
    }
    builder_.finish();
    log_.lines.push_back(lines_);
    if (std::string warning = source.warning(); !warning.empty()) log_.warnings.push_back(std::move(warning));
    return {};
  }

 private:
  void add_lines(std::string_view bytes) {
    while (!bytes.empty()) {
      const std::size_t end = bytes.find('\n');
      builder_.add(read_phase_line(bytes.substr(0, end), clean_), ++lines_);
      bytes.remove_prefix(end == std::string_view::npos ? bytes.size() : end + 1);
    }
  }

  PhaseLog& log_;
  std::uint32_t file_;
  SummaryBuilder builder_;
  std::uint32_t lines_ = 0;
  std::string clean_;
};

/// `\r\n` and `\r` alone become `\n`.
void append_with_newlines(std::string& text, std::string_view bytes) {
  for (std::size_t i = 0; i < bytes.size(); ++i) {
    if (bytes[i] != '\r') {
      text += bytes[i];
    } else if (i + 1 >= bytes.size() || bytes[i + 1] != '\n') {
      text += '\n';
    }
  }
}

}  // namespace

Result<PhaseLog> read_phase_logs(const std::vector<std::string>& paths, const io::SourceOptions& options) {
  PhaseLog log;
  for (const std::string& path : paths) {
    Result<std::unique_ptr<io::ChunkSource>> source = io::open_source(path, options);
    if (!source) return failure(source.error());
    log.files.push_back(path);
    LogLines reader(log, static_cast<std::uint32_t>(log.files.size() - 1));
    const Result<void> read = reader.read(**source);
    if (!read) return failure(read.error());
  }
  return log;
}

Result<std::string> read_log_text(const std::string& path) {
  Result<std::unique_ptr<io::ChunkSource>> source = io::open_source(path);
  if (!source) return failure(source.error());
  std::string text;
  while (true) {
    Result<io::Chunk> chunk = (*source)->next();
    if (!chunk) return failure(chunk.error());
    if (chunk->bytes.empty()) return text;
    append_with_newlines(text, chunk->bytes);
  }
}

}  // namespace ttscope::phases
