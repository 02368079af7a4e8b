#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

#include "base/result.h"

namespace ttscope::table {

/// What the cells of a column are, null aside.
enum class Type : std::uint8_t { kInteger, kReal, kText, kTruth };

/// `integer`, `real`, `text` or `truth`.
constexpr std::string_view name_of(Type type) {
  switch (type) {
    case Type::kInteger:
      return "integer";
    case Type::kReal:
      return "real";
    case Type::kText:
      return "text";
    case Type::kTruth:
      break;
  }
  return "truth";
}

/// One value of a table: nothing, a whole number, a real number, a text or a truth. It does not own its text:
/// whoever gives the cell says how long that lives. Two machine words, so that it is returned in registers.
///
/// NaN is no value: it becomes null here, so that every output form agrees about it.
class Cell {
 public:
  enum class Kind : std::uint8_t { kNull, kInteger, kReal, kText, kTruth };

  constexpr Cell() : integer_(0) {}
  static constexpr Cell null() { return {}; }
  static constexpr Cell integer(std::int64_t number) {
    Cell cell(Kind::kInteger);
    cell.integer_ = number;
    return cell;
  }
  static constexpr Cell real(double number) {
    if (number != number) return {};
    Cell cell(Kind::kReal);
    cell.real_ = number;
    return cell;
  }
  /// Texts are cut at 4 GiB.
  static constexpr Cell text(std::string_view text) {
    Cell cell(Kind::kText);
    cell.text_ = text.data();
    cell.text_bytes_ = static_cast<std::uint32_t>(
        std::min<std::size_t>(text.size(), std::numeric_limits<std::uint32_t>::max()));
    return cell;
  }
  static constexpr Cell truth(bool truth) {
    Cell cell(Kind::kTruth);
    cell.integer_ = truth ? 1 : 0;
    return cell;
  }

  constexpr Kind kind() const { return kind_; }
  constexpr bool is_null() const { return kind_ == Kind::kNull; }
  constexpr bool is_number() const { return kind_ == Kind::kInteger || kind_ == Kind::kReal; }

  /// Each only for a cell of its kind; as_integer() also for a truth (0 or 1).
  constexpr std::int64_t as_integer() const { return integer_; }
  constexpr double as_real() const { return real_; }
  constexpr std::string_view as_text() const { return {text_, text_bytes_}; }
  constexpr bool as_truth() const { return integer_ != 0; }

 private:
  constexpr explicit Cell(Kind kind) : integer_(0), kind_(kind) {}

  // NOLINTBEGIN(readability-identifier-naming): members of the cell, which the check takes for public ones
  union {
    std::int64_t integer_;
    double real_;
    const char* text_;
  };
  // NOLINTEND(readability-identifier-naming)
  std::uint32_t text_bytes_ = 0;
  Kind kind_ = Kind::kNull;
};

static_assert(std::is_trivially_copyable_v<Cell> && sizeof(Cell) == 16);

/// What is known about the order of a column.
enum class Order : std::uint8_t {
  kNone,
  /// No cell is less than the one before it (nulls first, texts by bytes): ranges are found by halving.
  kAscending,
};

/// Reads one cell. The text of the result lives as long as the source, or in `scratch` until that is used
/// again.
using Getter = Cell (*)(const void* source, std::size_t row, std::string& scratch);

/// Whether a text was made for the moment: it stands in the scratch and not in the source.
inline bool points_into(std::string_view text, const std::string& scratch) {
  const std::less_equal<const char*> not_after;
  return not_after(scratch.data(), text.data()) && not_after(text.data(), scratch.data() + scratch.size());
}

/// A column as it is declared, once, for all output forms. The texts are literals.
struct ColumnSpec {
  std::string_view name;  ///< lower case, with its unit: `size_bytes`; not `profile`, which SQL adds
  std::string_view unit;  ///< empty: none
  std::string_view doc;   ///< one sentence, without a full stop
  Type type = Type::kInteger;
  Order order = Order::kNone;
  Getter get = nullptr;
};

/// A table as it is declared. Made by table_of() in table/declare.h.
struct TableSpec {
  std::string_view name;
  std::string_view doc;  ///< what one row is, without a full stop
  std::vector<ColumnSpec> columns;

  std::optional<std::size_t> find_column(std::string_view column) const;
};

/// The rows of one profile under a declaration. Nothing is copied: cells are read from the source, which the
/// table keeps alive. The spec must outlive it (specs are static). As thread safe as the getters, which only
/// read; each thread needs its own scratch.
class Table {
 public:
  /// Prefer make_table() in table/declare.h, which checks that the source is the one that the spec reads.
  Table(const TableSpec& spec, std::shared_ptr<const void> source, std::size_t rows)
      : spec_(&spec), source_(std::move(source)), rows_(rows) {}

  const TableSpec& spec() const { return *spec_; }
  std::size_t rows() const { return rows_; }
  /// A text is valid until `scratch` is used again.
  Cell cell(std::size_t row, std::size_t column, std::string& scratch) const {
    return spec_->columns[column].get(source_.get(), row, scratch);
  }
  /// For loops over one column.
  const void* source() const { return source_.get(); }

 private:
  const TableSpec* spec_;
  std::shared_ptr<const void> source_;
  std::size_t rows_;
};

/// The tables of one profile.
struct TableSet {
  std::string kind;  ///< what was read: `runtime_log`, `graph_capture`, ...
  std::vector<Table> tables;
  std::vector<std::string> warnings;  ///< what of the input could not be used

  /// Null where there is no such table.
  const Table* find(std::string_view table) const;
};

/// A ready query: a view over declared tables. The texts are literals.
struct View {
  std::string_view name;
  std::string_view doc;  ///< the question that it answers, without a full stop
  std::string_view sql;  ///< one select statement
};

/// Rows one after the other: a table or the result of a query. What the writers read. Not thread safe.
///
///   while (true) {
///     const Result<bool> more = rows.next();
///     if (!more) return failure(more.error());
///     if (!*more) break;
///     use(rows.cell(0));
///   }
class RowSource {
 public:
  virtual ~RowSource() = default;

  virtual const std::vector<std::string>& column_names() const = 0;
  /// Goes to the next row, to the first one at first; false behind the last. Not called again after that, nor
  /// after an error.
  [[nodiscard]] virtual Result<bool> next() = 0;
  /// A cell of this row. Its text is valid until the next call of cell() or next().
  virtual Cell cell(std::size_t column) = 0;
};

/// The rows of a table, for the writers.
class TableRows final : public RowSource {
 public:
  /// All columns in the order of the declaration.
  explicit TableRows(const Table& table);
  /// These columns (indices into the spec) in this order.
  TableRows(Table table, std::vector<std::size_t> columns);

  const std::vector<std::string>& column_names() const override { return names_; }
  [[nodiscard]] Result<bool> next() override { return ++next_row_ <= table_.rows(); }
  Cell cell(std::size_t column) override { return table_.cell(next_row_ - 1, columns_[column], scratch_); }

 private:
  Table table_;
  std::vector<std::size_t> columns_;
  std::vector<std::string> names_;
  std::size_t next_row_ = 0;
  std::string scratch_;
};

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
