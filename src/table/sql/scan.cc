#include "table/sql/scan.h"

#include <algorithm>
#include <limits>

namespace ttscope::table {
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
      return settle_on_candidate();
    }
  }
  open_part();
  settle();
}

void Scan::next() {
  if (has_index_) {
    ++candidates_.begin;
    settle_on_candidate();
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
    constexpr std::size_t kRowsBetweenLooks = 4096;
    for (; row_ < end_row_; ++row_) {
      if (tested_.empty() || row_passes()) return;
      if (row_ % kRowsBetweenLooks == 0 && table_.is_cancelled()) {
        is_cancelled_ = true;
        return;
      }
    }
    ++part_;
    open_part();
  }
}

void Scan::settle_on_candidate() {
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
