#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <string_view>
#include <type_traits>

namespace ttscope::table {

/// What the cells of a column are, null aside.
enum class Type : std::uint8_t { kInteger, kReal, kText, kTruth };

/// `integer`, `real`, `text` or `truth`.
constexpr std::string_view name_of(Type type) {
  switch (type) {
    case Type::kInteger:
      return "integer";
    case Type::kReal:
      return "real";
    case Type::kText:
      return "text";
    case Type::kTruth:
      break;
  }
  return "truth";
}

/// One value of a table: nothing, a whole number, a real number, a text or a truth. It does not own its text:
/// whoever gives the cell says how long that lives. Two machine words, so that it is returned in registers.
///
/// NaN is no value: it becomes null here, so that every output form agrees about it.
class Cell {
 public:
  enum class Kind : std::uint8_t { kNull, kInteger, kReal, kText, kTruth };

  constexpr Cell() : integer_(0) {}
  static constexpr Cell null() { return {}; }
  static constexpr Cell integer(std::int64_t number) {
    Cell cell(Kind::kInteger);
    cell.integer_ = number;
    return cell;
  }
  static constexpr Cell real(double number) {
    if (number != number) return {};
    Cell cell(Kind::kReal);
    cell.real_ = number;
    return cell;
  }
  /// Texts are cut at 4 GiB.
  static constexpr Cell text(std::string_view text) {
    Cell cell(Kind::kText);
    cell.text_ = text.data();
    cell.text_bytes_ = static_cast<std::uint32_t>(
        std::min<std::size_t>(text.size(), std::numeric_limits<std::uint32_t>::max()));
    return cell;
  }
  static constexpr Cell truth(bool truth) {
    Cell cell(Kind::kTruth);
    cell.integer_ = truth ? 1 : 0;
    return cell;
  }

  constexpr Kind kind() const { return kind_; }
  constexpr bool is_null() const { return kind_ == Kind::kNull; }
  constexpr bool is_number() const { return kind_ == Kind::kInteger || kind_ == Kind::kReal; }

  /// Each only for a cell of its kind; as_integer() also for a truth (0 or 1).
  constexpr std::int64_t as_integer() const { return integer_; }
  constexpr double as_real() const { return real_; }
  constexpr std::string_view as_text() const { return {text_, text_bytes_}; }
  constexpr bool as_truth() const { return integer_ != 0; }

 private:
  constexpr explicit Cell(Kind kind) : integer_(0), kind_(kind) {}

  // NOLINTBEGIN(readability-identifier-naming): members of the cell, which the check takes for public ones
  union {
    std::int64_t integer_;
    double real_;
    const char* text_;
  };
  // NOLINTEND(readability-identifier-naming)
  std::uint32_t text_bytes_ = 0;
  Kind kind_ = Kind::kNull;
};
static_assert(std::is_trivially_copyable_v<Cell> && sizeof(Cell) == 16);

}  // namespace ttscope::table
