#include "base/python_text.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>

#include "base/double_text.h"

namespace ttscope {
namespace {

/// Neither a control character nor a backslash.
bool is_kept(char c) {
  constexpr unsigned char kDelete = 0x7f;
  const auto byte = static_cast<unsigned char>(c);
  return byte >= ' ' && byte != kDelete && c != '\\';
}

void append_escaped(std::string& to, char c) {
  constexpr std::string_view kHex = "0123456789abcdef";
  const auto byte = static_cast<unsigned char>(c);
  switch (c) {
    case '\n':
      to += "\\n";
      return;
    case '\r':
      to += "\\r";
      return;
    case '\t':
      to += "\\t";
      return;
    case '\\':
      to += "\\\\";
      return;
    default:
      break;
  }
  if (!is_kept(c)) {
    to += "\\x";
    to += kHex[byte >> 4];
    to += kHex[byte & 15];
  } else {
    to += c;
  }
}

}  // namespace

void append_python_repr(std::string& to, std::string_view text) {
  const bool has_single = text.find('\'') != std::string_view::npos;
  const bool has_double = text.find('"') != std::string_view::npos;
  const char quote = has_single && !has_double ? '"' : '\'';
  to += quote;
  const bool plain = !has_single && std::all_of(text.begin(), text.end(), is_kept);
  if (plain) {
    to += text;
  } else {
    for (const char c : text) {
      if (c == quote) to += '\\';
      append_escaped(to, c);
    }
  }
  to += quote;
}

void append_python_float(std::string& to, double number) {
  if (std::isnan(number)) {
    to += "nan";
  } else if (std::isinf(number)) {
    to += number < 0 ? "-inf" : "inf";
  } else {
    std::array<char, kDoubleTextBytes> text{};
    to.append(text.data(), put_double(text.data(), number));
  }
}

double python_round(double number, int digits) {
  if (!std::isfinite(number)) return number;
  std::array<char, 400> text{};
  const auto written =
      std::to_chars(text.data(), text.data() + text.size(), number, std::chars_format::fixed, digits);
  double rounded = number;
  std::from_chars(text.data(), written.ptr, rounded);
  return rounded;
}

}  // namespace ttscope
