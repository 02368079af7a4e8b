#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "table/sql/comparison.h"
#include "table/sql/merged_table.h"

namespace ttscope::table {

/// A condition on one column that is tested while scanning.
struct Filter {
  static constexpr int kRowNumber = -1;  ///< the row's number in the merged table, from 1; SQL calls it rowid

  int column = 0;  ///< of the merged table, or kRowNumber
  Comparison comparison = Comparison::kEqual;
  Cell value;  ///< its text outlives the scan
};

/// Finds the rows of a table that have a value in a column: for joins, which ask for one value after the
/// other. Eight bytes a row.
class LookupIndex {
 public:
  LookupIndex(const MergedTable& table, std::size_t column);

  struct Candidates {
    const std::uint64_t* begin = nullptr;
    const std::uint64_t* end = nullptr;
  };
  /// Rows that may have it, all that do among them, in their order; the low half of each is the row.
  Candidates find(const Cell& value) const;

 private:
  std::vector<std::uint64_t> entries_;  ///< hash, then row; in order
};

/// A merged table with what is learnt about it while it is queried. Not thread safe.
class ScannedTable {
 public:
  /// A walk over its rows stops when the flag is set.
  explicit ScannedTable(MergedTable merged, const std::atomic<bool>* cancelled = nullptr)
      : merged_(std::move(merged)), cancelled_(cancelled) {}

  bool is_cancelled() const { return cancelled_ != nullptr && cancelled_->load(std::memory_order_relaxed); }

  const MergedTable& merged() const { return merged_; }
  /// Counts a lookup of a value in a column that is in no order, and gives its index once there were enough
  /// of them to pay for it; null before.
  const LookupIndex* index_for(std::size_t column);
  /// Whether each part is in the order of this column. What a column declares is looked at before it is
  /// relied on, once: a log may hold anything, and a wrong order would lose rows.
  bool is_ascending(std::size_t column);

 private:
  static constexpr int kLookupsBeforeIndex = 4;
  struct Lookups {
    int count = 0;
    std::unique_ptr<LookupIndex> index;
  };

  MergedTable merged_;
  const std::atomic<bool>* cancelled_;
  std::map<std::size_t, Lookups> lookups_;
  std::map<std::size_t, bool> ascending_;
};

/// Walks over the rows that pass all filters, in their order. Conditions on ascending columns restrict the
/// range of rows by halving, before anything is read; conditions on `profile` leave out whole profiles.
class Scan {
 public:
  explicit Scan(ScannedTable& table) : table_(table) {}

  /// The texts of the filters must outlive the walk.
  void start(const std::vector<Filter>& filters);
  /// Goes behind the last row.
  void finish() { part_ = table_.merged().parts().size(); }
  bool at_end() const { return part_ == table_.merged().parts().size(); }
  void next();
  /// The walk was given up between two rows.
  bool is_cancelled() const { return is_cancelled_; }
  /// From 1.
  std::int64_t row_number() const { return static_cast<std::int64_t>(part().first_row + row_) + 1; }
  Cell cell(std::size_t column, std::string& scratch) const {
    return table_.merged().cell(part(), row_, column, scratch);
  }

 private:
  struct Range {
    std::size_t begin = 0;
    std::size_t end = 0;
  };

  const MergedTable::Part& part() const { return table_.merged().parts()[part_]; }
  Cell value_at(std::size_t row, int column);
  bool halves(const Filter& filter);
  /// The first row of the part from which on `behind(cell)` holds.
  template <typename Behind>
  std::size_t first_row(int column, Behind behind);
  Range range_of(const Filter& filter);
  bool profile_passes() const;
  void open_part();
  bool row_passes();
  void settle();
  void settle_on_candidate();

  ScannedTable& table_;
  std::vector<Filter> halving_;
  std::vector<Filter> tested_;
  std::vector<Filter> profile_;
  LookupIndex::Candidates candidates_;
  bool is_cancelled_ = false;
  bool has_index_ = false;
  std::size_t part_ = 0;
  std::size_t row_ = 0;
  std::size_t end_row_ = 0;
  std::string scratch_;
};

}  // namespace ttscope::table
