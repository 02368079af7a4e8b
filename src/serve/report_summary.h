#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "base/files.h"
#include "serve/library.h"

namespace ttscope::serve {

/// Where a value stands: the keys around it, outermost first. Elements of arrays have an empty key.
class JsonPath {
 public:
  std::size_t depth() const { return levels_.size(); }
  std::string_view key(std::size_t level) const { return levels_[level].key; }
  std::uint64_t index(std::size_t level) const { return levels_[level].index; }
  /// Whether the keys are these; `*` stands for anything.
  bool is(std::initializer_list<std::string_view> keys) const;

 private:
  friend class JsonScanner;
  struct Level {
    bool is_array = false;
    std::uint64_t index = 0;
    std::string key{};
  };
  std::vector<Level> levels_;
};

/// Reads JSON piece by piece and calls back for each number and text: memory does not grow with the document,
/// which a report's files need, being as large as their log. Forgiving: it tells well-formed documents from
/// broken brackets only.
class JsonScanner {
 public:
  /// `text` is empty for numbers; true is 1, false is 0. Empty texts and null are passed over.
  using Take = std::function<void(const JsonPath& path, double number, std::string_view text)>;
  explicit JsonScanner(Take take) : take_(std::move(take)) {}

  /// False once the brackets do not match or nest too deep; later pieces are ignored then.
  bool feed(std::string_view piece);
  /// Whether a whole document has been read.
  bool is_complete() const {
    return !failed_ && started_ && path_.levels_.empty() && state_ == State::kBetween;
  }

 private:
  enum class State : std::uint8_t { kBetween, kText, kEscape, kLiteral };

  void between(char c);
  void open(bool is_array);
  void close(bool is_array);
  void end_text();
  void end_literal();
  std::size_t take_text(std::string_view piece);
  void take_escape(char c);
  void add(char32_t character);

  Take take_;
  JsonPath path_;
  State state_ = State::kBetween;
  bool expects_key_ = false;
  bool started_ = false;
  bool failed_ = false;
  std::string text_;        ///< of the token that is being read; long ones are cut
  std::string escape_;      ///< behind a backslash
  char32_t surrogate_ = 0;  ///< the first half of a character that is escaped in two
};

/// How a column of a report page is stored (docs/formats/report_page.md).
struct PageBlobForm {
  std::string type{};
  std::size_t count = 0;
  bool is_delta = false;
};

/// The values of a column: base64 of gzip of byte planes. Empty when the text is anything else.
std::vector<std::int64_t> unpacked_column(std::string_view base64, const PageBlobForm& form);

/// The highest value in each of a bounded number of equal parts of a sequence whose length is not known
/// beforehand.
class Curve {
 public:
  void add(std::int64_t value);
  /// At most `most` values; the highest of all is among them.
  std::vector<std::int64_t> parts(std::size_t most) const;
  std::int64_t highest() const { return highest_; }

 private:
  std::vector<std::int64_t> parts_;
  std::uint64_t part_size_ = 1;  ///< how many values a part stands for
  std::uint64_t in_last_ = 0;
  std::int64_t highest_ = -1;
};

/// How many values a curve has at most.
inline constexpr std::size_t kCurvePoints = 96;

struct PageFacts {
  ReportSummary summary;
  std::string script_hash;
  bool is_page = false;  ///< it holds the data of a report page
};

/// Reads the start of a report page (docs/formats/report_page.md): its header and the coarse DRAM curve.
PageFacts read_page_facts(const FileDescriptor& page);
/// The same for a text.
PageFacts page_facts(std::string_view page_start);

/// Reads NAME_memory.json (docs/formats/ttmem_files.md), also as the Python tool writes it, in pieces.
ReportSummary read_memory_file(const FileDescriptor& file);
/// The same for pieces of text as `next_piece` gives them; the first empty one is the end.
ReportSummary memory_file_summary(const std::function<std::string_view()>& next_piece);

/// The log that `source.json` of a report folder names; empty when it names none.
std::string read_source_log(const FileDescriptor& file);
std::string source_log(std::string_view json);

}  // namespace ttscope::serve
