#include "table/sql/scan.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <string_view>

#include "base/string_pool.h"

namespace ttscope::table {
namespace {

constexpr double kTwoTo63 = 9223372036854775808.0;

template <typename T>
int order_of(const T& a, const T& b) {
  return a < b ? -1 : (b < a ? 1 : 0);
}

/// Exact, also where the real cannot hold the whole number.
int compare_whole_with_real(std::int64_t whole, double real) {
  if (real >= kTwoTo63) return -1;
  if (real < -kTwoTo63) return 1;
  const auto cut = static_cast<std::int64_t>(real);
  if (whole != cut) return order_of(whole, cut);
  return order_of(0.0, real - static_cast<double>(cut));  // what the cut took away; exact, both are near
}

enum class Class : std::uint8_t { kNull, kNumber, kText };

Class class_of(const Cell& cell) {
  switch (cell.kind()) {
    case Cell::Kind::kNull:
      return Class::kNull;
    case Cell::Kind::kText:
      return Class::kText;
    case Cell::Kind::kInteger:
    case Cell::Kind::kReal:
    case Cell::Kind::kTruth:
      break;
  }
  return Class::kNumber;
}

int compare_numbers(const Cell& a, const Cell& b) {
  const bool a_is_real = a.kind() == Cell::Kind::kReal;
  const bool b_is_real = b.kind() == Cell::Kind::kReal;
  if (a_is_real && b_is_real) return order_of(a.as_real(), b.as_real());
  if (a_is_real) return -compare_whole_with_real(b.as_integer(), a.as_real());
  if (b_is_real) return compare_whole_with_real(a.as_integer(), b.as_real());
  return order_of(a.as_integer(), b.as_integer());
}

std::uint32_t hash_bits(std::uint64_t bits) {
  bits *= 0x9e3779b97f4a7c15;
  return static_cast<std::uint32_t>(bits >> 32);
}

/// A real that is a whole number hashes as that.
std::uint32_t hash_real(double real) {
  const bool is_whole = real >= -kTwoTo63 && real < kTwoTo63 && std::trunc(real) == real;
  return hash_bits(is_whole ? static_cast<std::uint64_t>(static_cast<std::int64_t>(real))
                            : std::bit_cast<std::uint64_t>(real));
}

}  // namespace

int compare_cells(const Cell& a, const Cell& b) {
  const Class a_class = class_of(a);
  const Class b_class = class_of(b);
  if (a_class != b_class) return order_of(a_class, b_class);
  switch (a_class) {
    case Class::kNull:
      return 0;
    case Class::kNumber:
      return compare_numbers(a, b);
    case Class::kText:
      break;
  }
  const int order = a.as_text().compare(b.as_text());
  return order_of(order, 0);
}

bool passes(const Cell& cell, Comparison comparison, const Cell& value) {
  if (comparison == Comparison::kIsNull) return cell.is_null();
  if (cell.is_null()) return false;
  switch (comparison) {
    case Comparison::kEqual:
      return compare_cells(cell, value) == 0;
    case Comparison::kLess:
      return compare_cells(cell, value) < 0;
    case Comparison::kLessOrEqual:
      return compare_cells(cell, value) <= 0;
    case Comparison::kGreater:
      return compare_cells(cell, value) > 0;
    case Comparison::kGreaterOrEqual:
      return compare_cells(cell, value) >= 0;
    case Comparison::kIsNull:
    case Comparison::kIsNotNull:
      break;
  }
  return true;
}

std::uint32_t hash_cell(const Cell& cell) {
  switch (cell.kind()) {
    case Cell::Kind::kNull:
      return 0;
    case Cell::Kind::kReal:
      return hash_real(cell.as_real());
    case Cell::Kind::kText:
      return static_cast<std::uint32_t>(hash_text(cell.as_text()));
    case Cell::Kind::kInteger:
    case Cell::Kind::kTruth:
      break;
  }
  return hash_bits(static_cast<std::uint64_t>(cell.as_integer()));
}

namespace {

constexpr ColumnSpec kProfileColumn = {"profile",   "",           "Name of the profile that the row is from",
                                       Type::kText, Order::kNone, nullptr};

/// Makes `known` fit for the cells of both columns.
void widen(MergedTable::Column& known, const ColumnSpec& other) {
  const auto is_text = [](Type type) { return type == Type::kText; };
  if (is_text(known.spec.type) != is_text(other.type)) known.is_mixed = true;
  if (other.order == Order::kNone) known.spec.order = Order::kNone;
  if (known.spec.type == other.type) return;
  if (known.is_mixed) {
    known.spec.type = Type::kText;
  } else {
    const bool has_real = known.spec.type == Type::kReal || other.type == Type::kReal;
    known.spec.type = has_real ? Type::kReal : Type::kInteger;
  }
}

}  // namespace

MergedTable::MergedTable(const TableSpec& first) : name_(first.name), doc_(first.doc) {
  columns_.push_back({kProfileColumn});
}

Result<std::vector<MergedTable>> MergedTable::merge(const std::vector<NamedTables>& profiles) {
  std::vector<MergedTable> merged;
  for (const NamedTables& profile : profiles) {
    for (const Table& table : profile.set.tables) {
      const std::string_view name = table.spec().name;
      auto found = std::find_if(merged.begin(), merged.end(),
                                [name](const MergedTable& each) { return each.name() == name; });
      if (found == merged.end()) found = merged.insert(merged.end(), MergedTable(table.spec()));
      if (const Result<void> added = found->add(profile.profile, table); !added) {
        return failure(added.error());
      }
    }
  }
  for (MergedTable& table : merged) {
    for (Part& part : table.parts_) part.getters.resize(table.columns_.size());
  }
  return merged;
}

TableSpec MergedTable::spec() const {
  TableSpec spec{name_, doc_, {}};
  for (const Column& column : columns_) spec.columns.push_back(column.spec);
  return spec;
}

Result<void> MergedTable::add(const std::string& profile, const Table& table) {
  Part part{profile, table, rows_, std::vector<Getter>(columns_.size())};
  for (const ColumnSpec& spec : table.spec().columns) {
    const std::size_t column = column_for(spec);
    part.getters.resize(columns_.size());
    if (column == kProfile || part.getters[column] != nullptr) {
      return failure(bad_input(
          fmt::format("table {} declares column {} twice (profile is always there)", name_, spec.name)));
    }
    part.getters[column] = spec.get;
  }
  rows_ += table.rows();
  parts_.push_back(std::move(part));
  return {};
}

std::size_t MergedTable::column_for(const ColumnSpec& spec) {
  const auto found = std::find_if(columns_.begin(), columns_.end(),
                                  [&spec](const Column& each) { return each.spec.name == spec.name; });
  if (found == columns_.end()) {
    columns_.push_back({spec});
    columns_.back().spec.get = nullptr;
    return columns_.size() - 1;
  }
  if (found != columns_.begin()) widen(*found, spec);
  return static_cast<std::size_t>(found - columns_.begin());
}

namespace {

constexpr std::uint64_t kRowBits = 32;
constexpr std::uint64_t kRowMask = (std::uint64_t{1} << kRowBits) - 1;

bool part_is_ascending(const MergedTable& table, const MergedTable::Part& part, std::size_t column) {
  std::string scratches[2];
  Cell before;
  for (std::size_t row = 0; row < part.table.rows(); ++row) {
    const Cell cell = table.cell(part, row, column, scratches[row % 2]);
    if (compare_cells(before, cell) > 0) return false;
    before = cell;
  }
  return true;
}

}  // namespace

LookupIndex::LookupIndex(const MergedTable& table, std::size_t column) {
  entries_.reserve(table.rows());
  std::string scratch;
  for (const MergedTable::Part& part : table.parts()) {
    for (std::size_t row = 0; row < part.table.rows(); ++row) {
      const Cell cell = table.cell(part, row, column, scratch);
      if (cell.is_null()) continue;  // equal to nothing
      entries_.push_back(std::uint64_t{hash_cell(cell)} << kRowBits | (part.first_row + row));
    }
  }
  std::sort(entries_.begin(), entries_.end());
}

LookupIndex::Candidates LookupIndex::find(const Cell& value) const {
  const std::uint64_t first = std::uint64_t{hash_cell(value)} << kRowBits;
  const auto begin = std::lower_bound(entries_.begin(), entries_.end(), first);
  const auto end = std::upper_bound(begin, entries_.end(), first | kRowMask);
  return {entries_.data() + (begin - entries_.begin()), entries_.data() + (end - entries_.begin())};
}

const LookupIndex* ScannedTable::index_for(std::size_t column) {
  if (merged_.rows() > std::numeric_limits<std::uint32_t>::max()) return nullptr;
  Lookups& lookups = lookups_[column];
  if (++lookups.count <= kLookupsBeforeIndex) return nullptr;
  lookups.count = kLookupsBeforeIndex;
  if (lookups.index == nullptr) lookups.index = std::make_unique<LookupIndex>(merged_, column);
  return lookups.index.get();
}

bool ScannedTable::is_ascending(std::size_t column) {
  if (merged_.columns()[column].spec.order != Order::kAscending || merged_.columns()[column].is_mixed) {
    return false;
  }
  const auto [known, is_new] = ascending_.try_emplace(column, false);
  if (is_new) {
    known->second =
        std::all_of(merged_.parts().begin(), merged_.parts().end(),
                    [&](const MergedTable::Part& part) { return part_is_ascending(merged_, part, column); });
  }
  return known->second;
}

void Scan::start(const std::vector<Filter>& filters) {
  halving_.clear();
  tested_.clear();
  profile_.clear();
  has_index_ = false;
  const Filter* lookup = nullptr;
  for (const Filter& filter : filters) {
    if (filter.column == static_cast<int>(MergedTable::kProfile)) {
      profile_.push_back(filter);
    } else if (halves(filter)) {
      halving_.push_back(filter);
    } else {
      tested_.push_back(filter);
      if (filter.comparison == Comparison::kEqual && lookup == nullptr) lookup = &filter;
    }
  }
  part_ = 0;
  if (lookup != nullptr && halving_.empty()) {
    if (const LookupIndex* index = table_.index_for(static_cast<std::size_t>(lookup->column))) {
      candidates_ = index->find(lookup->value);
      has_index_ = true;
      return move_to_candidate();
    }
  }
  open_part();
  settle();
}

void Scan::next() {
  if (has_index_) {
    ++candidates_.begin;
    move_to_candidate();
  } else {
    ++row_;
    settle();
  }
}

Cell Scan::value_at(std::size_t row, int column) {
  if (column == Filter::kRowNumber) {
    return Cell::integer(static_cast<std::int64_t>(part().first_row + row) + 1);
  }
  return table_.merged().cell(part(), row, static_cast<std::size_t>(column), scratch_);
}

bool Scan::halves(const Filter& filter) {
  return filter.column == Filter::kRowNumber || table_.is_ascending(static_cast<std::size_t>(filter.column));
}

template <typename Behind>
std::size_t Scan::first_row(int column, Behind behind) {
  Range left{0, part().table.rows()};
  while (left.begin < left.end) {
    const std::size_t middle = left.begin + (left.end - left.begin) / 2;
    if (behind(value_at(middle, column))) {
      left.end = middle;
    } else {
      left.begin = middle + 1;
    }
  }
  return left.begin;
}

Scan::Range Scan::range_of(const Filter& filter) {
  const auto first_value = [&] {
    return first_row(filter.column, [](const Cell& cell) { return !cell.is_null(); });
  };
  const auto first_from = [&] {
    return first_row(filter.column,
                     [&filter](const Cell& cell) { return compare_cells(cell, filter.value) >= 0; });
  };
  const auto first_above = [&] {
    return first_row(filter.column,
                     [&filter](const Cell& cell) { return compare_cells(cell, filter.value) > 0; });
  };
  const std::size_t rows = part().table.rows();
  switch (filter.comparison) {
    case Comparison::kEqual:
      return {first_from(), first_above()};
    case Comparison::kLess:
      return {first_value(), first_from()};
    case Comparison::kLessOrEqual:
      return {first_value(), first_above()};
    case Comparison::kGreater:
      return {first_above(), rows};
    case Comparison::kGreaterOrEqual:
      return {first_from(), rows};
    case Comparison::kIsNull:
      return {0, first_value()};
    case Comparison::kIsNotNull:
      break;
  }
  return {first_value(), rows};
}

bool Scan::profile_passes() const {
  return std::all_of(profile_.begin(), profile_.end(), [this](const Filter& filter) {
    return passes(Cell::text(part().profile), filter.comparison, filter.value);
  });
}

void Scan::open_part() {
  row_ = 0;
  end_row_ = 0;
  if (at_end() || !profile_passes()) return;
  Range rows{0, part().table.rows()};
  for (const Filter& filter : halving_) {
    const Range each = range_of(filter);
    rows.begin = std::max(rows.begin, each.begin);
    rows.end = std::min(rows.end, each.end);
  }
  row_ = rows.begin;
  end_row_ = rows.end;
}

bool Scan::row_passes() {
  for (const Filter& filter : tested_) {
    if (!passes(value_at(row_, filter.column), filter.comparison, filter.value)) return false;
  }
  return true;
}

/// Goes on from here to the next row that passes.
void Scan::settle() {
  while (!at_end()) {
    constexpr std::size_t kRowsBetweenChecks = 4096;
    for (; row_ < end_row_; ++row_) {
      if (tested_.empty() || row_passes()) return;
      if (row_ % kRowsBetweenChecks == 0 && table_.is_cancelled()) {
        is_cancelled_ = true;
        return;
      }
    }
    ++part_;
    open_part();
  }
}

void Scan::move_to_candidate() {
  for (; candidates_.begin != candidates_.end; ++candidates_.begin) {
    const std::size_t row = *candidates_.begin & kRowMask;
    // The candidates come in the order of the rows, and empty parts are passed by.
    while (row >= part().first_row + part().table.rows()) ++part_;
    row_ = row - part().first_row;
    if (profile_passes() && row_passes()) return;
  }
  finish();
}

}  // namespace ttscope::table
