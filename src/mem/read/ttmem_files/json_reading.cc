#include "mem/read/ttmem_files/json_reading.h"

#include <fmt/format.h>

#include <cmath>
#include <cstring>

#include "mem/read/ttmem_files/padded_text.h"

namespace ttscope::mem {
namespace {

constexpr std::size_t kMostBytes = 0xffffffff - simdjson::SIMDJSON_PADDING;  ///< that the parser can number
constexpr std::string_view kTooLarge =
    "is too large; make the page from the log: ttscope mem LOG --html PAGE";

}  // namespace

Result<void> open_document(JsonDocument& opened, std::string_view text) {
  if (text.size() > kMostBytes) {
    return failure(bad_file(opened, kTooLarge));
  }
  static_assert(PaddedText::kPaddingBytes >= simdjson::SIMDJSON_PADDING);
  const simdjson::padded_string_view padded(text.data(), text.size(),
                                            text.size() + PaddedText::kPaddingBytes);
  if (const auto error = opened.parser.iterate(padded).get(opened.document))
    return failure(bad_file(opened, error));
  return {};
}

Result<void> check_end(JsonDocument& read) {
  if (read.document.current_location().error()) return {};
  return failure(bad_file(read, "has text behind its end"));
}

Error bad_file(const JsonDocument& document, std::string_view what) {
  return bad_input(fmt::format("{}: {}", document.name, what));
}

Error bad_file(const JsonDocument& document, simdjson::error_code code) {
  if (code == simdjson::MEMALLOC || code == simdjson::CAPACITY) return bad_file(document, kTooLarge);
  return bad_file(document,
                  fmt::format("not the JSON that ttscope mem --out or tt-memory-profiler writes ({})",
                              simdjson::error_message(code)));
}

std::string_view text_until_quote(const char* begin) { return {begin, std::strcspn(begin, "\"")}; }

std::optional<std::string_view> text_in(json::value value) {
  const std::string_view token = value.raw_json_token();  // with its quotes and what follows them
  if (token.size() >= 2 && token.front() == '"') {
    const std::string_view plain = text_until_quote(token.data() + 1);
    if (plain.find('\\') == std::string_view::npos) return plain;
  }
  std::string_view text;
  if (value.get_string().get(text)) return std::nullopt;
  return text;
}

std::optional<std::int64_t> integer_in(json::value value) {
  std::int64_t number = 0;
  if (!value.get_int64().get(number)) return number;
  return std::nullopt;
}

std::optional<double> number_in(json::value value) {
  double number = 0;
  if (value.get_double().get(number) || !std::isfinite(number)) return std::nullopt;
  return number;
}

bool truth_in(json::value value) {
  bool truth = false;
  return !value.get_bool().get(truth) && truth;
}

}  // namespace ttscope::mem
