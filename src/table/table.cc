#include "table/table.h"

#include <algorithm>
#include <array>
#include <functional>
#include <limits>
#include <numeric>
#include <string_view>
#include <utility>

#include "base/string_pool.h"

namespace ttscope::table {

std::optional<std::size_t> TableSpec::find_column(std::string_view column) const {
  const auto found = std::find_if(columns.begin(), columns.end(),
                                  [column](const ColumnSpec& spec) { return spec.name == column; });
  if (found == columns.end()) return std::nullopt;
  return static_cast<std::size_t>(found - columns.begin());
}

const Table* TableSet::find(std::string_view table) const {
  const auto found = std::find_if(tables.begin(), tables.end(),
                                  [table](const Table& each) { return each.spec().name == table; });
  return found == tables.end() ? nullptr : &*found;
}

namespace {

std::vector<std::size_t> all_columns(const TableSpec& spec) {
  std::vector<std::size_t> columns(spec.columns.size());
  std::iota(columns.begin(), columns.end(), std::size_t{0});
  return columns;
}

}  // namespace

TableRows::TableRows(const Table& table) : TableRows(table, all_columns(table.spec())) {}

TableRows::TableRows(Table table, std::vector<std::size_t> columns)
    : table_(std::move(table)), columns_(std::move(columns)) {
  names_.reserve(columns_.size());
  for (const std::size_t column : columns_) names_.emplace_back(table_.spec().columns[column].name);
}

namespace {

/// Calls `take(cell)` for each row and notes where the cells are null.
template <typename Take>
void each_cell(const Table& table, std::size_t column, std::vector<std::uint8_t>& nulls, Take take) {
  const Getter get = table.spec().columns[column].get;
  std::string scratch;
  for (std::size_t row = 0; row < table.rows(); ++row) {
    const Cell cell = get(table.source(), row, scratch);
    if (cell.is_null()) {
      if (nulls.empty()) nulls.resize(table.rows());
      nulls[row] = 1;
    }
    take(cell, scratch);
  }
}

/// Numbers texts. Interned texts come back with the same pointer, so that nearly all are known without a look
/// at their bytes.
class TextNumbers {
 public:
  std::int32_t number_of(std::string_view text, const std::string& scratch) {
    if (points_into(text, scratch)) return intern(text);  // the pointer says nothing about the text
    Known& known = known_[(reinterpret_cast<std::uintptr_t>(text.data()) * kSpread) >> kShift];
    if (known.data != text.data() || known.size != text.size() || known.number < 0) {
      known = {text.data(), text.size(), intern(text)};
    }
    return known.number;
  }

  std::vector<std::string> texts() const {
    std::vector<std::string> texts;
    texts.reserve(pool_.size());
    for (std::uint32_t id = 0; id < pool_.size(); ++id) texts.emplace_back(pool_[id]);
    return texts;
  }

 private:
  static constexpr std::uint64_t kSpread = 0x9e3779b97f4a7c15;
  static constexpr int kBits = 10;
  static constexpr int kShift = 64 - kBits;
  struct Known {
    const char* data = nullptr;
    std::size_t size = 0;
    std::int32_t number = -1;
  };

  std::int32_t intern(std::string_view text) { return static_cast<std::int32_t>(pool_.intern(text)); }

  StringPool pool_;
  std::array<Known, std::size_t{1} << kBits> known_;
};

std::vector<std::int64_t> integers(const Table& table, std::size_t column, std::vector<std::uint8_t>& nulls) {
  std::vector<std::int64_t> values;
  values.reserve(table.rows());
  each_cell(table, column, nulls, [&values](const Cell& cell, const std::string&) {
    values.push_back(cell.is_null() ? 0 : cell.as_integer());
  });
  return values;
}

std::vector<double> reals(const Table& table, std::size_t column, std::vector<std::uint8_t>& nulls) {
  std::vector<double> values;
  values.reserve(table.rows());
  each_cell(table, column, nulls, [&values](const Cell& cell, const std::string&) {
    values.push_back(cell.is_null() ? std::numeric_limits<double>::quiet_NaN() : cell.as_real());
  });
  return values;
}

std::vector<std::uint8_t> truths(const Table& table, std::size_t column, std::vector<std::uint8_t>& nulls) {
  std::vector<std::uint8_t> values;
  values.reserve(table.rows());
  each_cell(table, column, nulls, [&values](const Cell& cell, const std::string&) {
    values.push_back(!cell.is_null() && cell.as_truth() ? 1 : 0);
  });
  return values;
}

TextCodes texts(const Table& table, std::size_t column, std::vector<std::uint8_t>& nulls) {
  TextNumbers numbers;
  TextCodes coded;
  coded.codes.reserve(table.rows());
  each_cell(table, column, nulls, [&](const Cell& cell, const std::string& scratch) {
    coded.codes.push_back(cell.is_null() ? -1 : numbers.number_of(cell.as_text(), scratch));
  });
  coded.texts = numbers.texts();
  return coded;
}

}  // namespace

ColumnValues column_values(const Table& table, std::size_t column) {
  ColumnValues result;
  switch (table.spec().columns[column].type) {
    case Type::kInteger:
      result.values = integers(table, column, result.nulls);
      break;
    case Type::kReal:
      result.values = reals(table, column, result.nulls);
      break;
    case Type::kTruth:
      result.values = truths(table, column, result.nulls);
      break;
    case Type::kText:
      result.values = texts(table, column, result.nulls);
      break;
  }
  return result;
}

}  // namespace ttscope::table
