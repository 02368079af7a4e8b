#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "table/cell.h"

namespace ttscope::table {

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
inline bool lies_in(std::string_view text, const std::string& scratch) {
  const std::less_equal<const char*> not_behind;
  return not_behind(scratch.data(), text.data()) && not_behind(text.data(), scratch.data() + scratch.size());
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

}  // namespace ttscope::table
