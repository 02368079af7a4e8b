#include "mem/read/ttnn_module/module_sections.h"

#include <cstring>
#include <unordered_set>
#include <utility>

#include "base/text_search.h"
#include "mem/model/line_prefix.h"
#include "mem/read/runtime_log/module_aliases.h"

namespace ttscope::mem {
namespace {

constexpr std::string_view kPassDump = "// -----// IR Dump ";
constexpr std::string_view kSplit = "// -----";

bool finds(std::string_view text, std::string_view wanted) {
  return !text.empty() && ::memmem(text.data(), text.size(), wanted.data(), wanted.size()) != nullptr;
}

bool opens_module(std::string_view line) {
  for (const std::string_view word : {"module", "builtin.module", "\"builtin.module\"("}) {
    if (!line.starts_with(word)) continue;
    if (word.back() == '(') return true;
    const std::string_view rest = line.substr(word.size());
    if (rest.starts_with(" {") || rest.starts_with(" @") || rest.starts_with(" attributes")) return true;
  }
  return false;
}

bool opens_function(std::string_view line) {
  return line.starts_with("func.func ") || line.starts_with("\"func.func\"");
}

/// Begins with a character that begins lines inside a module, but none of a logger.
bool is_inside(std::string_view line) {
  constexpr std::string_view kInside = " }%\"^\t";
  return line.empty() || (kInside.find(line[0]) != kNoPlace && !opens_module(line) && !opens_function(line));
}

class SectionFinder {
 public:
  explicit SectionFinder(std::string_view text) : text_(text) {}

  std::vector<ModuleSection> find() {
    const char* at = text_.data();
    const char* const end = at + text_.size();
    for (std::uint32_t number = 1; at < end; ++number) {
      const auto* newline =
          static_cast<const char*>(std::memchr(at, '\n', static_cast<std::size_t>(end - at)));
      const char* const line_end = newline == nullptr ? end : newline;
      std::string_view line(at, static_cast<std::size_t>(line_end - at));
      if (!line.empty() && line.back() == '\r') line.remove_suffix(1);
      take(line, number);
      at = newline == nullptr ? end : newline + 1;
    }
    close();
    return std::move(found_);
  }

 private:
  void take(std::string_view line, std::uint32_t number) {
    if (is_open_ && is_inside(line)) return take_inner(line);
    const std::string_view tag = take_rank_tag(line);
    if (is_open_ && tag != tag_) {  // of another process
      section_.lines.emplace_back();
      return;
    }
    if (is_open_ && is_inside(line)) return take_inner(without_trailing_colour(line));
    take_outer(without_trailing_colour(line), tag, number);
  }

  void take_inner(std::string_view line) {
    is_closed_module_ |= line.starts_with('}');
    section_.lines.push_back(line);
  }

  /// A line that may begin or end a module.
  void take_outer(std::string_view line, std::string_view tag, std::uint32_t number) {
    if (line.starts_with(kSplit)) return begin_part(line);
    const std::string_view alias = alias_name(line);
    const bool begins = opens_module(line) || opens_function(line) || !alias.empty();
    if (!is_open_) {
      if (begins) open(tag, number);
    } else if (ends_before(line, alias, begins)) {
      close();
      if (begins) open(tag, number);
    }
    if (!is_open_) return;
    section_.is_module |= opens_module(line);
    has_code_ |= opens_module(line) || opens_function(line);
    if (!alias.empty()) aliases_.insert(alias);
    section_.lines.push_back(line);
  }

  /// Behind a module its locations may follow; anything else is the next one, or no module.
  bool ends_before(std::string_view line, std::string_view alias, bool begins) const {
    if (opens_module(line)) return section_.is_module;
    if (begins) {
      const bool is_location = alias.starts_with("#loc") && aliases_.count(alias) == 0;
      return is_closed_module_ && section_.is_module && !is_location;
    }
    if (line.empty() || line.starts_with("//") || line.starts_with("{-#") || line.starts_with("#-}"))
      return false;
    return is_closed_module_ || has_logger_prefix(line) || finds(line, "END OF MLIR MODULE");
  }

  /// `// -----` parts files; `// -----// IR Dump After TTNNDeallocate //----- //` begins the text after a
  /// pass.
  void begin_part(std::string_view line) {
    close();
    is_pass_dump_ = line.starts_with(kPassDump);
    if (!is_pass_dump_) continues_program_ = false;
  }

  void open(std::string_view tag, std::uint32_t number) {
    section_ = {};
    section_.first_line = number;
    section_.is_pass_dump = is_pass_dump_;
    tag_ = tag;
    is_open_ = true;
    is_closed_module_ = false;
    has_code_ = false;
    aliases_.clear();
  }

  void close() {
    if (!is_open_) return;
    is_open_ = false;
    if (!has_code_ && is_behind_last()) {  // its aliases, printed at the end
      found_.back().lines.insert(found_.back().lines.end(), section_.lines.begin(), section_.lines.end());
      return;
    }
    if (!is_ttnn()) {
      continues_program_ = false;
      return;
    }
    // Passes over single functions print no more than these.
    const bool replaces = continues_program_ && section_.is_pass_dump && found_.back().is_pass_dump;
    if (!replaces) {
      found_.push_back(std::move(section_));
    } else if (section_.is_module || !found_.back().is_module) {
      found_.back() = std::move(section_);
    }
    continues_program_ = true;
  }

  bool is_behind_last() const {
    return !found_.empty() && found_.back().first_line + found_.back().lines.size() == section_.first_line;
  }

  bool is_ttnn() const {
    for (const std::string_view line : section_.lines) {
      if (finds(line.substr(0, 256), "\"ttnn.") || finds(line.substr(0, 256), "ttcore.load_cached"))
        return true;
    }
    return false;
  }

  std::string_view text_;
  std::vector<ModuleSection> found_;
  ModuleSection section_;
  std::string_view tag_;
  std::unordered_set<std::string_view> aliases_;  ///< of the open section
  bool is_open_ = false;
  bool is_closed_module_ = false;   ///< a bracket at the first column closed what was open
  bool has_code_ = false;           ///< the open section has more than aliases
  bool is_pass_dump_ = false;       ///< of the part that comes
  bool continues_program_ = false;  ///< no other stage since the last section found
};

}  // namespace

std::vector<ModuleSection> find_modules(std::string_view text) { return SectionFinder(text).find(); }

}  // namespace ttscope::mem
