#pragma once

#include <cstdint>
#include <deque>
#include <memory>
#include <string>
#include <string_view>

#include "io/chunk_source.h"

namespace ttscope::mem {

/// How a log was broken into lines of a fixed width, as terminals and `fold` do it.
struct LineWrapping {
  std::size_t columns = 0;    ///< 0: not at all
  bool counts_bytes = false;  ///< colours count too (`fold`); a terminal counts what is seen
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
  bool may_go_on_ = false;        ///< it is as wide as lines can be
  bool last_has_blank_ = false;   ///< it is more than a piece of a word that is longer than a line
  std::uint32_t lines_ = 0;       ///< of the input so far
  std::uint32_t first_joined_line_ = 0;
};

}  // namespace ttscope::mem
