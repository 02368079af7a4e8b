#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

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

}  // namespace ttscope::serve
