#pragma once

#include <algorithm>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "base/json_reader.h"
#include "table/table.h"

namespace ttscope::testing {

/// The numbers of a column added up (truths are 1); null adds nothing. NaN where there is no such column.
inline double column_sum(const table::TableSet& set, std::string_view table, std::string_view column) {
  const table::Table* found = set.find(table);
  const auto at = found == nullptr ? std::nullopt : found->spec().find_column(column);
  if (!at) return __builtin_nan("");
  double sum = 0;
  std::string scratch;
  for (std::size_t row = 0; row < found->rows(); ++row) {
    const table::Cell cell = found->cell(row, *at, scratch);
    if (cell.kind() == table::Cell::Kind::kReal) sum += cell.as_real();
    if (cell.kind() == table::Cell::Kind::kInteger || cell.kind() == table::Cell::Kind::kTruth)
      sum += static_cast<double>(cell.as_integer());
  }
  return sum;
}

/// The texts of a column; `-` for null.
inline std::vector<std::string> column_texts(const table::TableSet& set, std::string_view table,
                                             std::string_view column) {
  const table::Table* found = set.find(table);
  const auto at = found == nullptr ? std::nullopt : found->spec().find_column(column);
  if (!at) return {"no such column"};
  std::vector<std::string> texts;
  std::string scratch;
  for (std::size_t row = 0; row < found->rows(); ++row) {
    const table::Cell cell = found->cell(row, *at, scratch);
    texts.push_back(cell.kind() == table::Cell::Kind::kText ? std::string(cell.as_text()) : "-");
  }
  return texts;
}

/// The values of a document at `segments[].calls[].dram_freed`, in order.
inline std::vector<const JsonTree*> json_values(const JsonTree& root, std::string_view path) {
  std::vector<const JsonTree*> now = {&root};
  while (!path.empty()) {
    const std::string_view step = path.substr(0, path.find('.'));
    path.remove_prefix(std::min(step.size() + 1, path.size()));
    const bool is_list = step.ends_with("[]");
    std::vector<const JsonTree*> next;
    for (const JsonTree* tree : now) {
      const JsonTree* member = tree->find(is_list ? step.substr(0, step.size() - 2) : step);
      if (member == nullptr) continue;
      if (!is_list) next.push_back(member);
      if (!is_list) continue;
      for (const JsonTree& item : member->items()) next.push_back(&item);
    }
    now = std::move(next);
  }
  return now;
}

inline double json_sum(const JsonTree& root, std::string_view path) {
  double sum = 0;
  for (const JsonTree* value : json_values(root, path)) sum += value->number().value_or(0);
  return sum;
}

inline std::vector<std::string> json_texts(const JsonTree& root, std::string_view path) {
  std::vector<std::string> texts;
  for (const JsonTree* value : json_values(root, path))
    texts.push_back(value->is(JsonTree::Kind::kText) ? value->content() : "-");
  return texts;
}

/// What is wrong with the declarations of some tables; empty if nothing is.
inline std::string declaration_problem(const std::vector<const table::TableSpec*>& specs) {
  std::set<std::string_view> tables;
  for (const table::TableSpec* spec : specs) {
    const std::string place = std::string(spec->name) + ".";
    if (!tables.insert(spec->name).second) return place + ": declared twice";
    if (spec->doc.empty() || spec->doc.ends_with('.')) return place + ": its sentence";
    std::set<std::string_view> names = {"profile"};
    for (const table::ColumnSpec& column : spec->columns) {
      const std::string name(column.name);
      if (!names.insert(column.name).second) return place + name + ": declared twice";
      if (column.doc.empty() || column.doc.ends_with('.')) return place + name + ": its sentence";
      const bool is_bytes = name.find("_bytes") != std::string::npos || name == "bytes";
      if (is_bytes && !column.unit.starts_with("bytes")) return place + name + ": its unit";
    }
  }
  return {};
}

/// The first column that is declared as ascending and is not; empty if there is none.
inline std::string order_problem(const table::TableSet& set) {
  for (const table::Table& table : set.tables) {
    for (std::size_t column = 0; column < table.spec().columns.size(); ++column) {
      if (table.spec().columns[column].order != table::Order::kAscending) continue;
      std::string scratch;
      std::int64_t before = -1;
      for (std::size_t row = 0; row < table.rows(); ++row) {
        const table::Cell cell = table.cell(row, column, scratch);
        const std::int64_t now = cell.is_null() ? -1 : cell.as_integer();
        if (now < before)
          return std::string(table.spec().name) + "." + std::string(table.spec().columns[column].name);
        before = now;
      }
    }
  }
  return {};
}

}  // namespace ttscope::testing
