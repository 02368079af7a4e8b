#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <variant>
#include <vector>

namespace ttscope::tables {

/// One value for each row. Texts are few and repeated: a row has the number of its text, -1 for none.
struct TextColumn {
  std::vector<std::string> texts;
  std::vector<std::int32_t> codes;
};
using Values = std::variant<std::vector<std::int64_t>, std::vector<double>, TextColumn>;

struct Column {
  std::string name;  ///< with its unit: `dram_growth_bytes_per_bank`
  Values values;
};

struct Table {
  std::string name;
  std::vector<Column> columns;  ///< all of one length

  void add(std::string column, Values values) { columns.push_back({std::move(column), std::move(values)}); }
};

/// A profile as plain columns, for programs that compute with them.
struct ProfileTables {
  std::string kind;  ///< `runtime_log`, `report_files`, `graph_capture` or `phase_log`
  std::vector<Table> tables;
  std::vector<std::string> warnings;  ///< what of the input could not be used
};

}  // namespace ttscope::tables
