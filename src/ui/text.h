#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace ttscope::ui {

/// `93 B`, `1.5 KB`, `12.34 MB`, `1.20 GB`; units of 1024, named as the runtime names them.
std::string size_text(std::int64_t size_bytes);
/// The same with a sign: `+12.34 MB`.
std::string signed_size_text(std::int64_t size_bytes);
/// Always in MB, without the unit: `0.28`.
std::string mb_text(std::int64_t size_bytes, int decimals = 2);
/// `1,234,567`.
std::string count_text(std::uint64_t count);

/// `1 program`, `2 programs`; `plural` when adding an s is not enough.
std::string counted(std::uint64_t count, std::string_view singular, std::string_view plural = {});

/// `93.4%`; a value that is not 0 never reads `0.0%`.
std::string percent_text(double fraction);
/// part / whole, 0 when there is no whole.
double ratio(std::int64_t part, std::int64_t whole);
/// `part` of `banks` banks, without overflow.
std::int64_t all_banks(std::int64_t bytes_per_bank, std::int64_t banks);

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

/// Collects the lines of a terminal report. Color marks only what is a heading, a label or a severity, so
/// that the text says the same without it.
class Painter {
 public:
  enum class Ink { kPlain, kBold, kDim, kRed, kYellow, kGreen, kCyan };

  Painter(bool color, std::size_t width) : color_(color), width_(width) {}

  std::size_t width() const { return width_; }
  /// An empty one with the same color and width.
  Painter same_style() const { return Painter(color_, width_); }
  std::string paint(std::string_view text, Ink ink) const;
  void blank_line() { text_ += '\n'; }
  /// Lines that another painter made.
  void append(std::string_view lines) { text_ += lines; }
  void line(std::string_view text);
  /// A bold title with a dim remark, after a blank line.
  void heading(std::string_view title, std::string_view remark = {});
  /// `  label     text ...` with the text broken at blanks and hanging under its first line.
  void item(std::string_view label, std::string_view text, Ink ink = Ink::kPlain);
  /// A word in reversed color, then the text hanging beside it.
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

/// What every report says of a run whose devices were simulated, and the parts of it that others begin
/// otherwise.
inline constexpr std::string_view kRunOnSimulatedChips =
    "run on simulated chips: the times of devices are modelled, not those of a board";
inline constexpr std::string_view kSimulatedChipsText =
    kRunOnSimulatedChips.substr(kRunOnSimulatedChips.find("simulated"));
inline constexpr std::string_view kTimesAreModeled =
    kRunOnSimulatedChips.substr(kRunOnSimulatedChips.find("times"));

}  // namespace ttscope::ui
