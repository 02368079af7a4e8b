#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/json_tree.h"
#include "base/result.h"

namespace ttscope::graph {

/// One report with its sidecars; device ids are renumbered from 0.
struct TtnnReport {
  std::string path;
  JsonTree report;
  std::optional<JsonTree> python_io;
  std::optional<JsonTree> comparisons;
  std::int64_t rank = 0;
  std::int64_t first_operation = 0;  ///< what operation ids are counted from; set by the caller
  bool supported = true;             ///< false: another version than 1

  const std::vector<JsonTree>& graph() const;
};

/// The texts of a report and its sidecars.
struct TtnnReportTexts {
  std::string name;  ///< what errors call it
  std::string_view report;
  std::optional<std::string_view> python_io;  ///< the report's own records come before it
  std::optional<std::string_view> comparisons;
};

/// Reads what a text holds: one report, or as many as it has segments.
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

}  // namespace ttscope::graph
