#pragma once

// How the readers of this folder use simdjson; for their .cc files only.

#include <simdjson.h>

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "base/result.h"

namespace ttscope::mem {

namespace json = simdjson::ondemand;

/// A document that is being read: its parser, and what errors call it.
struct JsonDocument {
  std::string name;
  json::parser parser;
  json::document document;
};

/// Starts reading a text, which has PaddedText::kPaddingBytes of room behind it and outlives the document.
Result<void> open_document(JsonDocument& opened, std::string_view text);

/// An error if anything stands behind the value that was read.
Result<void> check_end(JsonDocument& read);

/// `run_memory.json: what, expected what would be right`
Error bad_file(const JsonDocument& document, std::string_view what);
Error bad_file(const JsonDocument& document, simdjson::error_code code);

// What a value holds; nothing when it is of another type. Texts are valid until the document is closed; they
// are copied only if anything in them is escaped.
std::optional<std::string_view> text_in(json::value value);
std::optional<std::int64_t> integer_in(json::value value);
std::optional<double> number_in(json::value value);
bool truth_in(json::value value);  ///< false for anything but `true`

/// The text up to the next quote; the parser knows that there is one. Keys that we look for have no escapes.
std::string_view text_until_quote(const char* begin);

/// Calls take(key, value) for each field of an object; does nothing when the value is none. A broken document
/// gives its error.
template <typename Take>
simdjson::error_code for_each_field(json::value value, Take take) {
  json::object object;
  if (const auto error = value.get_object().get(object)) {
    return error == simdjson::INCORRECT_TYPE ? simdjson::SUCCESS : error;
  }
  for (auto field : object) {
    json::raw_json_string key;
    if (const auto error = field.key().get(key)) return error;
    json::value inner;
    if (const auto error = field.value().get(inner)) return error;
    if (const simdjson::error_code error = take(text_until_quote(key.raw()), inner)) return error;
  }
  return simdjson::SUCCESS;
}

/// The same for the elements of an array.
template <typename Take>
simdjson::error_code for_each_element(json::value value, Take take) {
  json::array array;
  if (const auto error = value.get_array().get(array)) {
    return error == simdjson::INCORRECT_TYPE ? simdjson::SUCCESS : error;
  }
  for (auto element : array) {
    json::value inner;
    if (const auto error = element.get(inner)) return error;
    if (const simdjson::error_code error = take(inner)) return error;
  }
  return simdjson::SUCCESS;
}

}  // namespace ttscope::mem
