#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/json_reader.h"
#include "base/result.h"

namespace ttscope::graph {

using DeviceNumbers = std::map<std::int64_t, std::int64_t>;  ///< from 0, by the recorded id

/// One report with its sidecars. Its bulk (nodes, buffers, pages, Python's records) stays the text that was
/// read, and is parsed piece by piece where it is needed; device ids are renumbered from 0 then.
struct TtnnReport {
  std::string path;
  JsonTree head;  ///< everything else: devices, metadata, texts of side files
  std::vector<std::string_view> nodes;
  std::vector<std::string_view> python_io;  ///< records
  /// Live buffers of an operation, by the counter of its function_start, in the order of the report.
  std::vector<std::pair<std::string, std::string_view>> operation_buffers;
  std::map<std::string, std::string_view> pages_by_address;
  std::string_view pages;  ///< the array `buffer_pages`
  std::optional<JsonTree> comparisons;
  DeviceNumbers device_numbers;
  std::int64_t rank = 0;
  std::int64_t first_operation = 0;  ///< what operation ids are counted from; set by the caller
  bool supported = true;             ///< false: another version than 1
  bool continues = false;            ///< a further segment of one tracker: what was live stays so
  std::vector<std::shared_ptr<const void>> sources;  ///< keep the mapped files that texts point into

  /// A node with renumbered device ids; null where the text is damaged in a way that only parsing tells.
  JsonTree node(std::size_t index) const;
  /// Another piece of it: an entry of operation_buffers, a page, a record.
  JsonTree piece(std::string_view text) const;
};

/// The texts of a report and its sidecars.
struct TtnnReportTexts {
  std::string name;  ///< what errors call it
  std::string_view report;
  std::optional<std::string_view> python_io;  ///< the report's own records come before it
  std::optional<std::string_view> comparisons;
};

/// Reads what a text holds: one report, or as many as it has segments. The texts must outlive the reports.
Result<std::vector<TtnnReport>> parse_ttnn_reports(const TtnnReportTexts& texts);

/// The same for a file, with the sidecars that lie beside it.
Result<std::vector<TtnnReport>> load_ttnn_reports(const std::string& path);

/// A whole number under a key; `otherwise` when it is missing or none.
std::int64_t number_of(const JsonTree& object, std::string_view key, std::int64_t otherwise = 0);
std::optional<std::int64_t> maybe_number(const JsonTree& object, std::string_view key);
/// A text under a key; nothing when it is missing or none.
std::optional<std::string> maybe_text(const JsonTree& object, std::string_view key);
/// The params of a node, an empty object where it has none.
const JsonTree& params_of(const JsonTree& node);
/// The elements of an array under a key; empty when it is missing or none.
const std::vector<JsonTree>& list_of(const JsonTree& object, std::string_view key);
std::string_view node_type_of(const JsonTree& node);

/// Calls take(text) for each element of an array's text, take(key, text) for each member of an object's; keys
/// are as written. Nothing is built. False when the text is damaged or holds something else.
template <typename Take>
bool for_each_element(std::string_view array, Take take) {
  JsonCursor cursor(array);
  if (!cursor.take('[')) return false;
  if (cursor.take(']')) return true;
  do {
    const auto value = cursor.take_value();
    if (!value) return false;
    take(*value);
  } while (cursor.take(','));
  return cursor.take(']');
}

template <typename Take>
bool for_each_member(std::string_view object, Take take) {
  JsonCursor cursor(object);
  if (!cursor.take('{')) return false;
  if (cursor.take('}')) return true;
  do {
    const auto key = cursor.take_string();
    if (!key || !cursor.take(':')) return false;
    const auto value = cursor.take_value();
    if (!value) return false;
    take(*key, *value);
  } while (cursor.take(','));
  return cursor.take('}');
}

}  // namespace ttscope::graph
