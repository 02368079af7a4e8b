#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <variant>
#include <vector>

#include "table/table.h"

namespace ttscope::table {

/// Each text once, in the order of its first row.
struct TextCodes {
  std::vector<std::string> texts;
  std::vector<std::int32_t> codes;  ///< the index of the text of a row; -1: null
};

/// A whole column, for numpy and the blobs of pages.
struct ColumnValues {
  /// By the type of the column: integers (0 for null), reals (NaN for null), truths (a byte each, 0 for null)
  /// or texts.
  std::variant<std::vector<std::int64_t>, std::vector<double>, std::vector<std::uint8_t>, TextCodes> values;
  /// 1 for each row whose cell is null; empty where no cell is. Integers and truths need it, since they have
  /// no value of their own for null.
  std::vector<std::uint8_t> nulls;
};

/// A column of at most 2^31 different texts.
ColumnValues column_values(const Table& table, std::size_t column);

}  // namespace ttscope::table
