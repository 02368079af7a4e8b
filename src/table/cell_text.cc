#include "table/cell_text.h"

#include <charconv>
#include <cmath>
#include <string_view>

#include "base/double_text.h"

namespace ttscope::table {
namespace {

constexpr int kReadableDigits = 15;

void append_integer(std::string& to, std::int64_t number) {
  char text[24];
  to.append(text, std::to_chars(text, text + sizeof text, number).ptr);
}

void append_infinite(std::string& to, double number) { to += number > 0 ? "inf" : "-inf"; }

void append_exact_real(std::string& to, double number) {
  if (!std::isfinite(number)) return append_infinite(to, number);
  char text[kDoubleTextBytes];
  to.append(text, put_double(text, number));
}

void append_readable_real(std::string& to, double number) {
  if (!std::isfinite(number)) return append_infinite(to, number);
  char text[40];
  const std::string_view written(
      text,
      static_cast<std::size_t>(
          std::to_chars(text, text + sizeof text, number, std::chars_format::general, kReadableDigits).ptr -
          text));
  to += written;
  // It stays visible that the value is real.
  if (written.find_first_of(".e") == std::string_view::npos) to += ".0";
}

template <typename AppendReal>
void append_value(std::string& to, const Cell& cell, AppendReal append_real) {
  switch (cell.kind()) {
    case Cell::Kind::kInteger:
      return append_integer(to, cell.as_integer());
    case Cell::Kind::kReal:
      return append_real(to, cell.as_real());
    case Cell::Kind::kTruth:
      to += cell.as_truth() ? "true" : "false";
      return;
    case Cell::Kind::kNull:
    case Cell::Kind::kText:
      return;
  }
}

}  // namespace

void append_exact(std::string& to, const Cell& cell) { append_value(to, cell, append_exact_real); }

void append_readable(std::string& to, const Cell& cell) { append_value(to, cell, append_readable_real); }

}  // namespace ttscope::table
