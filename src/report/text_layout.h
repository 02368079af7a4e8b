#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace ttscope::report {

struct TextOptions {
  bool color = false;
  int width = 80;  ///< columns; 72 to 140 are made use of
  int top = 5;     ///< rows of each "largest" list
};

/// Columns a UTF-8 text takes on a terminal, counting every character as one.
std::size_t display_width(std::string_view text);
/// At most `width` columns; what is too long loses its middle, because both ends of a location tell
/// something.
std::string fit(std::string_view text, std::size_t width);
/// Filled up with blanks to `width` columns; longer texts stay as they are.
std::string pad_right(std::string_view text, std::size_t width);
std::string pad_left(std::string_view text, std::size_t width);
/// A bar of `cells` columns of which `fraction` is filled, to an eighth of a column; more than nothing is
/// always seen. The blanks at its end are left out.
std::string bar(double fraction, std::size_t cells);
/// The same with the empty part shown, for a share of something that can be full.
std::string gauge(double fraction, std::size_t cells);

/// Collects the lines of a terminal report. Colour marks only what is a heading, a label or a severity, so
/// that the text says the same without it.
class Painter {
 public:
  enum class Ink { kPlain, kBold, kDim, kRed, kYellow, kGreen, kCyan };

  Painter(bool color, std::size_t width) : color_(color), width_(width) {}

  std::size_t width() const { return width_; }
  /// An empty one with the same colour and width.
  Painter same_form() const { return Painter(color_, width_); }
  std::string paint(std::string_view text, Ink ink) const;
  void blank_line() { text_ += '\n'; }
  /// Lines that another painter made.
  void append(std::string_view lines) { text_ += lines; }
  void line(std::string_view text);
  /// A bold title with a dim remark, after a blank line.
  void heading(std::string_view title, std::string_view remark = {});
  /// `  label     text ...` with the text broken at blanks and hanging under its first line.
  void item(std::string_view label, std::string_view text, Ink ink = Ink::kPlain);
  /// A word in reversed colour, then the text hanging beside it.
  void statement(std::string_view word, Ink ink, std::string_view text);
  /// Text alone, broken at blanks, each line with this indent.
  void paragraph(std::size_t indent, std::string_view text, Ink ink = Ink::kPlain);

  std::string take() { return std::move(text_); }

 private:
  /// Whatever a caller forgot to escape: nothing but our own colors acts on a terminal.
  std::string safe(std::string_view text) const;
  void wrap(std::string_view given, std::size_t indent, Ink ink);

  bool color_;
  std::size_t width_;
  std::string text_;
};

}  // namespace ttscope::report
