// Hostile text made fit for a terminal, markdown, HTML, JSON, CSV and file names, and taken for numbers.
#include <cmath>
#include <string>

#include "base/csv.h"
#include "base/json_reader.h"
#include "base/json_writer.h"
#include "base/number_text.h"
#include "base/text.h"
#include "fuzz/fuzz_target.h"
#include "perf/model/ops_report.h"
#include "phases/read/phase_log_reader.h"

namespace ttscope {
namespace {

using fuzz::require;

void require_harmless(std::string_view shown) {
  require(is_valid_utf8(shown), "what is shown is UTF-8");
  while (!shown.empty()) {
    const DecodedCharacter next = decode_utf8(shown);
    require(!is_control_character(next.code_point), "what is shown does nothing");
    shown.remove_prefix(next.size_bytes);
  }
}

void check_json(std::string_view text, JsonEscapes escapes) {
  std::string escaped(json_escaped_limit(text.size()), '\0');
  const char* const end = put_json_escaped(escaped.data(), text, escapes);
  escaped.resize(static_cast<std::size_t>(end - escaped.data()));
  require(escaped.find('"') == std::string::npos || escaped.find("\\\"") != std::string::npos,
          "quotes are escaped");
  require(json_unescaped(escaped) == utf8_repaired(text), "a text is read as it was written");
}

void check_numbers(std::string_view text) {
  if (const auto number = parse_number(text)) require(std::isfinite(*number), "a number is a number");
  if (const auto ticks = parse_ticks(text)) require(std::abs(*ticks) <= kMaxTicks, "ticks are within bounds");
  static_cast<void>(parse_whole(text));
  static_cast<void>(parse_unsigned(text));
  static_cast<void>(parse_whole_or_cut(text));
  std::size_t used = 0;
  if (const auto number = phases::read_log_number(text, &used)) {
    require(used <= text.size() && !std::isnan(*number), "a number stands in its text");
  }
  static_cast<void>(perf::cell_number(text));
  const perf::CellSize size = perf::cell_size(text);
  require(size.padded >= -1 && size.logical >= -1, "a size is a size");
}

TTSCOPE_FUZZ_TARGET(base_text) {
  require_harmless(terminal_safe(text));
  require_harmless(markdown_cell(text));
  const std::string markup = markup_text(text);
  require_harmless(markup);
  require(markup.find('<') == std::string::npos, "text makes no tags");
  const std::string name = file_name_safe(text);
  require(!name.empty() && name.size() <= 120 && name.front() != '.' && name.find('/') == std::string::npos,
          "a file name stays in its folder");
  check_json(text, JsonEscapes::kHtmlSafe);
  check_json(text, JsonEscapes::kAscii);
  std::string python;
  append_python_repr(python, text);
  append_safe_csv_cell(python, text);
  require(utf8_prefix(text, 7).size() <= 7, "a prefix is short");
  check_numbers(text);
}

}  // namespace
}  // namespace ttscope
