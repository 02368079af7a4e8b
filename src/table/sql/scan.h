#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/result.h"
#include "table/table.h"

namespace ttscope::table {

/// What a filter asks of a cell. The values are their letters in the text of a plan.
enum class Comparison : char {
  kEqual = '=',
  kLess = '<',
  kLessOrEqual = 'l',
  kGreater = '>',
  kGreaterOrEqual = 'g',
  kIsNull = 'n',
  kIsNotNull = 'x',
};

/// -1, 0 or 1 in the order of SQLite: null before numbers before texts; whole and real numbers by their exact
/// values; texts by bytes; truths are 0 and 1.
int compare_cells(const Cell& a, const Cell& b);

/// Whether `cell` stands in this relation to `value`, which is not null where it is compared with.
bool passes(const Cell& cell, Comparison comparison, const Cell& value);

/// Equal for cells that compare_cells() finds equal.
std::uint32_t hash_cell(const Cell& cell);

/// The tables of one profile, under the name that the column `profile` shows.
struct NamedTables {
  std::string profile;
  TableSet set;
};

/// The tables of one name of several profiles, one below the other. Its columns are `profile` and then those
/// of all declarations; where a profile does not have a column, its cells are null. Nothing is copied.
class MergedTable {
 public:
  struct Column {
    ColumnSpec spec;        ///< without a getter; `order` holds inside of each part
    bool is_mixed = false;  ///< text in one profile, a number in another
  };
  struct Part {
    std::string profile;
    Table table;
    std::size_t first_row = 0;    ///< how many rows are in the parts before
    std::vector<Getter> getters;  ///< for each column of the merged table; null where the part has none
  };
  static constexpr std::size_t kProfile = 0;

  /// One for each name, in the order of the first profile that has it. An error is a fault of a declaration:
  /// two columns of one name, or one called `profile`.
  static Result<std::vector<MergedTable>> merge(const std::vector<NamedTables>& profiles);

  std::string_view name() const { return name_; }
  std::string_view doc() const { return doc_; }
  const std::vector<Column>& columns() const { return columns_; }
  const std::vector<Part>& parts() const { return parts_; }
  std::size_t rows() const { return rows_; }
  /// With the column `profile`; for documents, it has no getters.
  TableSpec spec() const;

  /// A text is valid until `scratch` is used again. `row` counts inside of the part.
  Cell cell(const Part& part, std::size_t row, std::size_t column, std::string& scratch) const {
    const Getter get = part.getters[column];
    if (get == nullptr) return column == kProfile ? Cell::text(part.profile) : Cell::null();
    const Cell cell = get(part.table.source(), row, scratch);
    const bool widens = columns_[column].spec.type == Type::kReal && cell.kind() == Cell::Kind::kInteger;
    return widens ? Cell::real(static_cast<double>(cell.as_integer())) : cell;
  }

 private:
  explicit MergedTable(const TableSpec& first);
  Result<void> add(const std::string& profile, const Table& table);
  std::size_t column_for(const ColumnSpec& spec);

  std::string_view name_;
  std::string_view doc_;
  std::vector<Column> columns_;
  std::vector<Part> parts_;
  std::size_t rows_ = 0;
};

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
  void move_to_candidate();

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
