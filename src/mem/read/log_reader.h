#pragma once

#include <array>
#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/result.h"
#include "io/chunk_source.h"
#include "mem/model/runtime_log.h"

namespace ttscope::mem {

struct ReadProgress {
  std::uint64_t bytes_done = 0;
  std::uint64_t bytes_total = 0;  ///< 0: unknown
  std::uint64_t ops = 0;
};

struct ReadOptions {
  unsigned threads = 1;  ///< that scan lines, besides the caller's; 0 scans on the caller's thread
  std::function<void(const ReadProgress&)> progress;  ///< called on the caller's thread, about once a chunk
  /// A line that it is true of ends the reading: the log is of another kind (ErrorCode::kOtherKind). Asked of
  /// lines that mean nothing to a memory profile, on any thread; null: nothing is.
  bool (*is_other_kind)(std::string_view line) = nullptr;
  io::SourceOptions source;  ///< sizes of chunks and lines; the trace does not depend on the chunks
};

/// Reads TT-XLA runtime logs (a path each, `-` for standard input). Lines of several ranks are told apart by
/// their tags; several files are several ranks unless a file holds nothing but module dumps. Fails only when
/// an input cannot be read at all; a log without any line of interest gives a trace without ranks.
Result<RuntimeLog> read_runtime_logs(const std::vector<std::string>& paths, const ReadOptions& options);

/// Whether a part of a log holds an op line or a memory line of the runtime. They may come late: what a
/// program prints before its first op can be long.
bool has_runtime_lines(std::string_view text);
/// Whether it holds what else tells such a log: a module dump.
bool has_compiler_lines(std::string_view text);
/// Whether a failure of the device's memory stands in it: a log that lost all else, a bug report, a commit
/// message. One of the host's memory may stand in any text, and tells nothing of what it is.
bool has_failure(std::string_view text);

/// The container's own lines of a file that docker keeps of them (mem/model/docker_line.h); all other inputs
/// are passed on as they are. Every line keeps its number: empty lines follow one that docker split. Pieces
/// of standard output and of standard error are joined apart; where they are mixed, a line that another
/// stream interrupted stands where its last piece does.
class DockerSource : public io::ChunkSource {
 public:
  explicit DockerSource(std::unique_ptr<io::ChunkSource> source) : source_(std::move(source)) {}

  Result<io::Chunk> next() override;
  std::shared_ptr<const void> backing() const override { return source_->backing(); }
  std::uint64_t total_bytes() const override { return source_->total_bytes(); }
  std::uint64_t consumed_bytes() const override { return source_->consumed_bytes(); }
  std::string warning() const override { return source_->warning(); }

 private:
  /// A line of one stream that goes on.
  struct OpenLine {
    std::string text;
    std::size_t pieces = 0;  ///< lines of the input in it that no line of the output stands for yet
  };

  std::string unpacked(std::string_view bytes);
  void add_record(std::string_view record, std::string& out);
  static void end_line(OpenLine& line, std::string& out);

  std::unique_ptr<io::ChunkSource> source_;
  bool is_begun_ = false;
  bool is_docker_ = false;
  std::array<OpenLine, 2> open_;  ///< of standard output and of standard error
};

/// How a log was broken into lines of a fixed width, as terminals and `fold` do it.
struct LineWrapping {
  std::size_t columns = 0;    ///< 0: not at all
  bool counts_bytes = false;  ///< colors count too (`fold`); a terminal counts what is seen
  bool at_blanks = false;     ///< in front of the word that has no room (`fold -s`, mail, editors)
  bool loses_blanks = false;  ///< and the blank before it is gone (mail, editors)
};

/// Looks at the beginning of a log. It is wrapped when many lines of the runtime, or of the modules that it
/// dumps where there are no others, end before they are whole, all at the same column, or all where the next
/// word would have gone beyond the widest line.
LineWrapping find_wrapping(std::string_view beginning);

/// An input whose lines are whole again where it is a wrapped log; all others are passed on as they are. So
/// many empty lines follow a joined line that every line keeps its number.
class UnwrappedSource : public io::ChunkSource {
 public:
  explicit UnwrappedSource(std::unique_ptr<io::ChunkSource> source) : source_(std::move(source)) {}

  Result<io::Chunk> next() override;
  std::shared_ptr<const void> backing() const override { return source_->backing(); }
  std::uint64_t total_bytes() const override { return source_->total_bytes(); }
  std::uint64_t consumed_bytes() const override { return source_->consumed_bytes(); }
  std::string warning() const override { return source_->warning(); }

  /// The first line that was joined, from 1; 0 if none was.
  std::uint32_t first_joined_line() const { return first_joined_line_; }

 private:
  Result<void> begin();
  Result<io::Chunk> next_of_source();
  std::string joined(std::string_view bytes, bool is_end);
  void add_line(std::string_view line, std::string& out);
  void end_line(std::string& out);
  bool continues(std::string_view line) const;

  std::unique_ptr<io::ChunkSource> source_;
  bool is_begun_ = false;
  std::deque<io::Chunk> first_;  ///< read to look at them, not yet given on
  LineWrapping wrapping_;
  std::string open_;  ///< the line that may go on in the next one
  std::string_view::size_type open_label_bytes_ = 0;
  std::uint32_t pieces_ = 0;      ///< lines of the input in open_
  std::size_t last_columns_ = 0;  ///< of the last of them
  bool may_continue_ = false;     ///< it is as wide as lines can be
  bool last_has_blank_ = false;   ///< it is more than a piece of a word that is longer than a line
  std::uint32_t lines_ = 0;       ///< of the input so far
  std::uint32_t first_joined_line_ = 0;
};

/// What stands for a chunk whose lines were written anew: it keeps their text, and is cut where that was.
inline io::Chunk rewritten(const io::Chunk& chunk, std::string text) {
  auto owner = std::make_shared<const std::string>(std::move(text));
  io::Chunk lines;
  lines.bytes = *owner;
  lines.cut_line = chunk.cut_line;
  lines.owner = std::move(owner);
  return lines;
}

}  // namespace ttscope::mem
