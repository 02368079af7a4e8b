#include "support/reference_reader.h"

#include <sstream>

namespace ttscope::testing {
namespace {

const std::string kExecuting = "Executing operation:";

bool is_digit(char c) { return c >= '0' && c <= '9'; }

std::string without_carriage_return(std::string line) {
  if (!line.empty() && line.back() == '\r') line.pop_back();
  return line;
}

/// Drops every `ESC [ digits and semicolons m`.
std::string without_colors(const std::string& line) {
  std::string plain;
  for (std::size_t i = 0; i < line.size(); ++i) {
    if (line[i] == '\x1b' && i + 1 < line.size() && line[i + 1] == '[') {
      std::size_t end = i + 2;
      while (end < line.size() && (is_digit(line[end]) || line[end] == ';')) ++end;
      if (end < line.size() && line[end] == 'm') {
        i = end;
        continue;
      }
    }
    plain += line[i];
  }
  return plain;
}

/// Which process wrote the line: `1,0` of `[1,0]<stdout>: `, or the name in `[host=name]`.
std::string tag_of(const std::string& line) {
  const std::size_t before_prefix = std::min(line.find("Always |"), line.find("Runtime"));
  const std::string head = line.substr(0, before_prefix);
  const std::size_t host = head.find("[host=");
  if (host != std::string::npos) return head.substr(host + 6, head.find(']', host) - host - 6);
  for (const char* stream : {"]<stdout>:", "]<stderr>:"}) {
    const std::size_t end = head.find(stream);
    const std::size_t begin = end == std::string::npos ? end : head.rfind('[', end);
    if (begin != std::string::npos) return head.substr(begin + 1, end - begin - 1);
  }
  return "";
}

/// Text behind a marker that stands anywhere in the line.
std::optional<std::string> behind(const std::string& line, const std::string& marker) {
  const std::size_t at = line.find(marker);
  if (at == std::string::npos) return std::nullopt;
  return line.substr(at + marker.size());
}

/// The location is the last ` loc(` that is not inside a string.
void split_location(const std::string& text, ReferenceOp& op) {
  op.text = text;
  if (text.empty() || text.back() != ')') return;
  bool in_string = false;
  std::size_t found = std::string::npos;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '"') in_string = !in_string;
    if (!in_string && text.compare(i, 5, " loc(") == 0) found = i;
  }
  if (found == std::string::npos) return;
  op.text = text.substr(0, found);
  op.loc = text.substr(found + 5, text.size() - found - 6);
  op.has_loc = true;
}

/// `1021.169` is 1021169.
bool read_thousandths(const std::string& text, std::uint64_t& value) {
  const std::size_t point = text.find('.');
  if (point == std::string::npos || point == 0 || text.size() != point + 4 || point > 6) return false;
  const std::string digits = text.substr(0, point) + text.substr(point + 1);
  if (digits.find_first_not_of("0123456789") != std::string::npos) return false;
  value = std::stoull(digits);
  return true;
}

bool read_view(const std::string& text, ReferenceView& view) {
  const std::array<std::string, 4> names = {
      ", totalBytesPerBank: ", " MB, totalBytesAllocatedPerBank: ", " MB, totalBytesFreePerBank: ",
      " MB, largestContiguousBytesFreePerBank: "};
  const std::string first = "MemoryView{numBanks: ";
  if (text.compare(0, first.size(), first) != 0) return false;
  std::size_t at = text.find(names[0]);
  if (at == std::string::npos) return false;
  const std::string banks = text.substr(first.size(), at - first.size());
  if (banks.empty() || banks.size() > 9 || banks.find_first_not_of("0123456789") != std::string::npos)
    return false;
  view.banks = std::stoull(banks);
  for (std::size_t i = 0; i < names.size(); ++i) {
    const std::size_t begin = at + names[i].size();
    const std::size_t end = text.find(i + 1 < names.size() ? names[i + 1] : " MB}", begin);
    if (end == std::string::npos || !read_thousandths(text.substr(begin, end - begin), view.numbers[i]))
      return false;
    at = end;
  }
  return true;
}

std::string first_word(const std::string& text) {
  std::istringstream words(text);
  std::string word;
  words >> word;
  return word;
}

/// One rank while its lines come in.
class RankReader {
 public:
  explicit RankReader(std::string tag) { rank_.tag = std::move(tag); }

  void take(const std::string& line, std::uint32_t number) {
    if (const auto text = behind(line, kExecuting)) return add_op(*text, number);
    if (const auto name = behind(line, "Starting execution of program: "))
      return start(first_word(*name), number);
    if (const auto name = behind(line, "Finished execution of program: "))
      return finish(first_word(*name), number);
    if (const auto header = behind(line, "Device memory state ")) return add_header(*header, number);
    if (behind(line, "Tensor is retained thus not deallocating")) return mark_retained();
    if (behind(line, "Cache hit for function: ") && is_load_cached()) rank_.ops.back().cache_hit = true;
    if (behind(line, "Cache miss or invalid cache for function: ") && is_load_cached())
      rank_.ops.back().cache_miss = true;
    const std::array<std::string, 4> memories = {"Device DRAM", "Device L1", "Device L1_SMALL",
                                                 "Device TRACE"};
    for (std::size_t m = 0; m < memories.size(); ++m) {
      if (const auto view = behind(line, memories[m] + " memory state: ")) return add_view(m, *view, number);
    }
  }

  ReferenceRank finish() { return std::move(rank_); }

 private:
  void add_op(const std::string& text, std::uint32_t number) {
    ReferenceOp op;
    split_location(!text.empty() && text[0] == ' ' ? text.substr(1) : text, op);
    op.line = number;
    op.program = open_.empty() ? -1 : open_.back();
    rank_.ops.push_back(op);
    op_type_.clear();
    block_open_ = program_ended_ = false;
  }

  /// A program runs inside the open one when it is a const-eval function; else the open ones were left by a
  /// crash.
  void start(const std::string& name, std::uint32_t number) {
    if (name.find("_const_eval_") == std::string::npos) open_.clear();
    ReferenceProgram program;
    program.name = name;
    program.start_line = number;
    program.parent = open_.empty() ? -1 : open_.back();
    open_.push_back(static_cast<int>(rank_.programs.size()));
    rank_.programs.push_back(program);
    block_open_ = false;
  }

  void finish(const std::string& name, std::uint32_t number) {
    block_open_ = false;
    std::size_t depth = open_.size();
    while (depth > 0 && rank_.programs[static_cast<std::size_t>(open_[depth - 1])].name != name) --depth;
    if (depth == 0) {
      ++rank_.unmatched_ends;
      return;
    }
    rank_.programs[static_cast<std::size_t>(open_[depth - 1])].end_line = number;
    open_.resize(depth - 1);
    program_ended_ = true;
  }

  void begin_block(std::uint32_t number) {
    ReferenceBlock block;
    block.line = number;
    block.op_line_before = static_cast<int>(rank_.ops.size()) - 1;
    rank_.blocks.push_back(block);
    block_open_ = true;
  }

  void add_header(const std::string& text, std::uint32_t number) {
    begin_block(number);
    for (const char* moment : {"before operation", "before submit", "after submit"}) {
      const auto rest = behind(text, moment);
      if (!rest) continue;
      rank_.blocks.back().moment = moment;
      rank_.blocks.back().op_type = op_type_ = first_word(*rest);
    }
  }

  void add_view(std::size_t memory, const std::string& text, std::uint32_t number) {
    ReferenceView view;
    view.line = number;
    if (!read_view(text, view)) {
      ++rank_.unreadable_views;
      return;
    }
    if (!block_open_ || rank_.blocks.back().views[memory]) begin_block(number);
    rank_.blocks.back().views[memory] = view;
  }

  /// Also printed for buffers destroyed outside programs.
  void mark_retained() {
    if (!program_ended_ && last_op_is("\"ttnn.deallocate\"(", "DeallocateOp"))
      rank_.ops.back().retained = true;
  }

  bool is_load_cached() const { return last_op_is("ttcore.load_cached(", "LoadCachedOp"); }

  /// Told by its text or, where that is cut, by the header of its block.
  bool last_op_is(const std::string& name, const std::string& op_type) const {
    return !rank_.ops.empty() && (behind(rank_.ops.back().text, name) || op_type_ == op_type);
  }

  ReferenceRank rank_;
  std::vector<int> open_;
  std::string op_type_;  ///< in the header of the last op's block
  bool block_open_ = false;
  bool program_ended_ = false;
};

}  // namespace

std::vector<ReferenceRank> read_reference(std::string_view log) {
  std::vector<std::string> tags;
  std::vector<RankReader> readers;
  std::istringstream lines{std::string(log)};
  std::string raw;
  for (std::uint32_t number = 1; std::getline(lines, raw); ++number) {
    const std::string line = without_colors(without_carriage_return(raw));
    const std::string tag = tag_of(line);
    std::size_t which = 0;
    while (which < tags.size() && tags[which] != tag) ++which;
    if (which == tags.size()) {
      tags.push_back(tag);
      readers.emplace_back(tag);
    }
    readers[which].take(line, number);
  }
  std::vector<ReferenceRank> ranks;
  for (RankReader& reader : readers) {
    ReferenceRank rank = reader.finish();
    if (!rank.ops.empty() || !rank.blocks.empty()) ranks.push_back(std::move(rank));
  }
  return ranks;
}

}  // namespace ttscope::testing
