#pragma once

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "table/table.h"

/// How a subject declares a table. The type of a column follows from what its getter returns: an integer, a
/// floating-point number (NaN: null), bool, std::string_view, `const std::string&` (not copied), std::string
/// (made for each cell) or std::optional of these (none: null). Integers above the largest std::int64_t are
/// null.
///
///   const TableOf<MemProfile>& ops_spec() {
///     static const TableOf<MemProfile> kSpec = table_of<MemProfile>(
///         "ops", "An executed op", {
///             ascending(column<MemProfile>("line", "", "Line of the log where the op stands",
///                 [](const MemProfile& profile, std::size_t row) { return profile.ops[row].line; })),
///             column<MemProfile>("name", "", "Name of the op",
///                 [](const MemProfile& profile, std::size_t row) { return profile.name_of(row); }),
///         });
///     return kSpec;
///   }
///   Table ops = make_table(ops_spec(), shared_profile, shared_profile->ops.size());

namespace ttscope::table {

/// A column that reads a Source.
template <typename Source>
struct ColumnOf {
  ColumnSpec spec;
};

/// A table that reads a Source; make_table() takes no other.
template <typename Source>
struct TableOf : TableSpec {};

namespace detail {

template <typename T>
inline constexpr bool kIsOptional = false;
template <typename T>
inline constexpr bool kIsOptional<std::optional<T>> = true;

/// Returned by value, so that the text is only there for the moment.
template <typename Value>
inline constexpr bool kIsOwnedText =
    std::is_same_v<Value, std::string> || std::is_same_v<Value, const std::string>;

template <typename Value>
constexpr Type type_of() {
  using Plain = std::remove_cvref_t<Value>;
  if constexpr (kIsOptional<Plain>) {
    return type_of<typename Plain::value_type>();
  } else if constexpr (std::is_same_v<Plain, bool>) {
    return Type::kTruth;
  } else if constexpr (std::integral<Plain> && !std::is_same_v<Plain, char>) {
    return Type::kInteger;
  } else if constexpr (std::floating_point<Plain>) {
    return Type::kReal;
  } else {
    static_assert(std::is_convertible_v<Value, std::string_view>,
                  "a getter returns an integer, a real number, bool, a text, or std::optional of these");
    return Type::kText;
  }
}

template <typename Value>
Cell cell_of(Value&& value, std::string& scratch) {
  using Plain = std::remove_cvref_t<Value>;
  if constexpr (kIsOptional<Plain>) {
    return value ? cell_of(*std::forward<Value>(value), scratch) : Cell::null();
  } else if constexpr (std::is_same_v<Plain, bool>) {
    return Cell::truth(value);
  } else if constexpr (std::integral<Plain>) {
    if (!std::in_range<std::int64_t>(value)) return Cell::null();
    return Cell::integer(static_cast<std::int64_t>(value));
  } else if constexpr (std::floating_point<Plain>) {
    return Cell::real(static_cast<double>(value));
  } else if constexpr (kIsOwnedText<std::remove_reference_t<Value>> && !std::is_lvalue_reference_v<Value>) {
    scratch = std::forward<Value>(value);
    return Cell::text(scratch);
  } else if constexpr (std::is_pointer_v<Plain>) {
    return value == nullptr ? Cell::null() : Cell::text(value);
  } else {
    return Cell::text(value);
  }
}

template <typename Source, typename Get>
Cell read_cell(const void* source, std::size_t row, std::string& scratch) {
  return cell_of<std::invoke_result_t<Get, const Source&, std::size_t>>(
      Get{}(*static_cast<const Source*>(source), row), scratch);
}

}  // namespace detail

/// A column whose getter is a lambda without captures: (const Source&, std::size_t row) -> value.
template <typename Source, typename Get>
ColumnOf<Source> column(std::string_view name, std::string_view unit, std::string_view doc, Get) {
  static_assert(std::is_empty_v<Get> && std::is_default_constructible_v<Get>, "the getter must not capture");
  using Value = std::invoke_result_t<Get, const Source&, std::size_t>;
  return {{name, unit, doc, detail::type_of<Value>(), Order::kNone, &detail::read_cell<Source, Get>}};
}

/// Marks a column whose cells never fall from row to row.
template <typename Source>
ColumnOf<Source> ascending(ColumnOf<Source> column) {
  column.spec.order = Order::kAscending;
  return column;
}

template <typename Source>
TableOf<Source> table_of(std::string_view name, std::string_view doc,
                         const std::vector<ColumnOf<Source>>& columns) {
  TableOf<Source> table;
  table.name = name;
  table.doc = doc;
  table.columns.reserve(columns.size());
  for (const ColumnOf<Source>& each : columns) table.columns.push_back(each.spec);
  return table;
}

/// The rows of a source under its declaration. `spec` must outlive the table.
template <typename Source>
Table make_table(const TableOf<Source>& spec, std::shared_ptr<const std::type_identity_t<Source>> source,
                 std::size_t rows) {
  return Table(spec, std::move(source), rows);
}

template <typename Source>
Table make_table(const TableOf<Source>&& spec, std::shared_ptr<const std::type_identity_t<Source>> source,
                 std::size_t rows) = delete;

}  // namespace ttscope::table
