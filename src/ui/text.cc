#include "ui/text.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdlib>

#include "base/writer.h"

namespace ttscope::ui {
namespace {

constexpr double kMb = 1048576.0;

std::string magnitude_text(double size_bytes) {
  struct Unit {
    double bytes;
    std::string_view name;
    int decimals;
  };
  static constexpr std::array<Unit, 4> kUnits = {
      {{kMb * kMb, "TB", 2}, {kMb * 1024, "GB", 2}, {kMb, "MB", 2}, {1024, "KB", 1}}};
  for (const Unit& unit : kUnits) {
    if (size_bytes >= unit.bytes)
      return fmt::format("{:.{}f} {}", size_bytes / unit.bytes, unit.decimals, unit.name);
  }
  return fmt::format("{:.0f} B", size_bytes);
}

}  // namespace

std::string size_text(std::int64_t size_bytes) {
  const double size = static_cast<double>(size_bytes);
  return size_bytes < 0 ? "-" + magnitude_text(-size) : magnitude_text(size);
}

std::string signed_size_text(std::int64_t size_bytes) {
  return size_bytes < 0 ? size_text(size_bytes) : "+" + size_text(size_bytes);
}

std::string mb_text(std::int64_t size_bytes, int decimals) {
  std::string text = fmt::format("{:.{}f}", static_cast<double>(size_bytes) / kMb, decimals);
  const bool is_zero = text.find_first_not_of("-0.") == std::string::npos;
  return is_zero && text[0] == '-' ? text.substr(1) : text;
}

std::string count_text(std::uint64_t count) {
  std::string digits = std::to_string(count);
  for (std::size_t i = digits.size(); i > 3; i -= 3) digits.insert(i - 3, 1, ',');
  return digits;
}

std::string counted(std::uint64_t count, std::string_view singular, std::string_view plural) {
  if (count == 1) return fmt::format("1 {}", singular);
  if (!plural.empty()) return fmt::format("{} {}", count_text(count), plural);
  return fmt::format("{} {}s", count_text(count), singular);
}

std::string percent_text(double fraction) {
  const double percent = fraction * 100;
  if (percent != 0 && std::abs(percent) < 0.05) return percent < 0 ? "> -0.1%" : "< 0.1%";
  return fmt::format("{:.1f}%", percent);
}

double ratio(std::int64_t part, std::int64_t whole) {
  return whole == 0 ? 0 : static_cast<double>(part) / static_cast<double>(whole);
}

std::int64_t all_banks(std::int64_t bytes_per_bank, std::int64_t banks) {
  std::int64_t total = 0;
  constexpr std::int64_t kLimit = std::int64_t{1} << 62;
  return __builtin_mul_overflow(bytes_per_bank, banks, &total) ? kLimit : total;
}

namespace {

constexpr std::size_t kLabelWidth = 15;

bool starts_character(char c) { return (static_cast<unsigned char>(c) & 0xC0) != 0x80; }

/// Byte offset of the character that stands in column `column`.
std::size_t offset_of(std::string_view text, std::size_t column) {
  std::size_t i = 0;
  for (; i < text.size(); ++i) {
    if (!starts_character(text[i])) continue;
    if (column == 0) return i;
    --column;
  }
  return i;
}

/// The first part of `text` that fits in `room` columns, cut at a blank where there is one.
std::string_view first_line(std::string_view text, std::size_t room) {
  if (display_width(text) <= room) return text;
  const std::size_t end = offset_of(text, room);
  const std::size_t blank = text.rfind(' ', end);
  return text.substr(0, blank == std::string_view::npos || blank == 0 ? end : blank);
}

std::string_view code_of(Painter::Ink ink) {
  constexpr std::array<std::string_view, 7> kCodes = {"", "1", "2", "31", "33", "32", "36"};
  return kCodes[static_cast<std::size_t>(ink)];
}

}  // namespace

std::size_t display_width(std::string_view text) {
  return static_cast<std::size_t>(std::count_if(text.begin(), text.end(), starts_character));
}

std::string fit(std::string_view text, std::size_t width) {
  const std::size_t columns = display_width(text);
  if (columns <= width) return std::string(text);
  if (width == 0) return {};
  const std::size_t head = (width - 1) / 3;
  const std::size_t tail = width - 1 - head;
  std::string fitted(text.substr(0, offset_of(text, head)));
  fitted += "…";
  fitted += text.substr(offset_of(text, columns - tail));
  return fitted;
}

std::string pad_right(std::string_view text, std::size_t width) {
  const std::size_t columns = display_width(text);
  std::string padded(text);
  if (columns < width) padded.append(width - columns, ' ');
  return padded;
}

std::string pad_left(std::string_view text, std::size_t width) {
  const std::size_t columns = display_width(text);
  std::string padded(columns < width ? width - columns : 0, ' ');
  padded += text;
  return padded;
}

std::string bar(double fraction, std::size_t cells) {
  constexpr std::array<std::string_view, 8> kParts = {"", "▏", "▎", "▍", "▌", "▋", "▊", "▉"};
  const double bounded = std::isfinite(fraction) ? std::clamp(fraction, 0.0, 1.0) : 0;
  const auto eighths = static_cast<std::size_t>(std::lround(bounded * static_cast<double>(cells) * 8));
  std::string text;
  for (std::size_t i = 0; i < eighths / 8; ++i) text += "█";
  text += kParts[eighths % 8];
  if (eighths == 0 && bounded > 0) text += kParts[1];
  return text;
}

std::string gauge(double fraction, std::size_t cells) {
  std::string text = bar(fraction, cells);
  for (std::size_t i = display_width(text); i < cells; ++i) text += "░";
  return text;
}

std::string Painter::paint(std::string_view text, Ink ink) const {
  if (!color_ || ink == Ink::kPlain || text.empty()) return std::string(text);
  std::string painted = "\x1b[";
  painted += code_of(ink);
  painted += 'm';
  painted += text;
  painted += "\x1b[0m";
  return painted;
}

std::string Painter::safe(std::string_view text) const {
  return visible_lines(text, color_ ? TerminalCodes::kColors : TerminalCodes::kNone);
}

void Painter::line(std::string_view text) {
  text_ += safe(text);
  text_ += '\n';
}

void Painter::heading(std::string_view given_title, std::string_view given_remark) {
  const std::string title = safe(given_title);
  const std::string remark = safe(given_remark);
  blank_line();
  text_ += paint(title, Ink::kBold);
  if (!remark.empty() && display_width(title) + 2 + display_width(remark) > width_) {
    text_ += '\n';
    return paragraph(2, remark, Ink::kDim);
  }
  if (!remark.empty()) {
    text_ += "  ";
    text_ += paint(remark, Ink::kDim);
  }
  text_ += '\n';
}

void Painter::item(std::string_view label, std::string_view text, Ink ink) {
  text_ += paint(pad_right("  " + safe(label), kLabelWidth), Ink::kCyan);
  wrap(text, kLabelWidth, ink);
}

void Painter::statement(std::string_view word, Ink ink, std::string_view text) {
  if (color_) {
    text_ += "\x1b[1;7;";
    text_ += code_of(ink);
    text_ += "m ";
    text_ += word;
    text_ += " \x1b[0m ";
  } else {
    text_ += word;
    text_ += "  ";
  }
  wrap(text, word.size() + (color_ ? 3 : 2), Ink::kPlain);
}

void Painter::paragraph(std::size_t indent, std::string_view text, Ink ink) {
  text_.append(indent, ' ');
  wrap(text, indent, ink);
}

void Painter::wrap(std::string_view given, std::size_t indent, Ink ink) {
  const std::string whole = safe(given);
  std::string_view text = whole;
  const std::size_t room = std::max<std::size_t>(width_ > indent ? width_ - indent : 0, 20);
  while (true) {
    const std::string_view part = first_line(text, room);
    text_ += paint(part, ink);
    text_ += '\n';
    text.remove_prefix(part.size());
    while (!text.empty() && text.front() == ' ') text.remove_prefix(1);
    if (text.empty()) return;
    text_.append(indent, ' ');
  }
}

}  // namespace ttscope::ui
