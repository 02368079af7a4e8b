#pragma once

#include <cstdint>
#include <string_view>

namespace ttscope::io {

/// A message of a Tracy capture and when it was sent.
struct MessageRow {
  std::string_view written;  ///< as it stands in the table, with the backticks around it
  std::string_view message;  ///< without them
  std::string_view time;     ///< its digits; empty where the table breaks off before them
  std::uint64_t line = 0;    ///< where it begins, from 1
  bool is_cut = false;       ///< it is a tool's and lacks its last backtick
};

/// Reads tracy_ops_data.csv: the messages of a capture as csvexport writes them, which is as they were given.
/// tt-metal and its tools put theirs, which begin with `TT_`, between backticks; users' own may hold
/// backticks, semicolons and line breaks anywhere. So a message ends where a line ends with its time:
///
///     MessageName;total_ns
///     `TT_SIGNPOST: Warmup
///     use `x`; twice`;503000
///     loss: 3;504000
///
/// What a tool's message holds may look like such an end, and one that was cut has no backtick at its own;
/// the next message of a tool begins behind it either way. Nothing is an error.
class MessageTable {
 public:
  /// `text` has to live as long as the rows are used.
  explicit MessageTable(std::string_view text);

  /// Whether the text begins as such a table does; else there are no rows.
  bool has_header() const { return has_header_; }
  /// Reads the next message into row(); false at the end.
  bool next();
  const MessageRow& row() const { return row_; }

 private:
  struct End;

  End end_of_line(const char* start) const;
  End end_of_users() const;
  End end_of_tools();
  void take(const End& end);

  const char* at_;
  const char* end_;
  std::uint64_t next_line_ = 1;
  bool is_odd_ = false;  ///< so many backticks stand before the next message
  /// Up to here no line ends with a backtick that has an even, or an odd, number of them up to it: what one
  /// scan has looked through in vain the next one need not.
  const char* unpaired_until_[2] = {nullptr, nullptr};
  bool has_header_ = false;
  MessageRow row_;
};

}  // namespace ttscope::io
