#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "mem/analyze/memory_profile.h"
#include "table/declare.h"
#include "table/table.h"

namespace ttscope::mem {

/// The tables of a profile; it is kept alive by them. `kind` is `runtime_log` or `report_files`.
table::TableSet tables_of(std::shared_ptr<const Profile> profile);

/// The declarations of all tables, in the order of tables_of().
std::vector<const table::TableSpec*> table_specs();

/// Ready queries over these tables.
std::vector<table::View> views();

/// The rows of one table, which are those of all ranks one after the other.
class RankRows {
 public:
  struct Place {
    std::uint32_t rank = 0;
    std::uint32_t index = 0;  ///< within the rank
  };

  void add_rank(std::size_t rows) { ends_.push_back(total() + rows); }
  std::size_t total() const { return ends_.empty() ? 0 : ends_.back(); }
  std::size_t first_of(std::uint32_t rank) const { return rank == 0 ? 0 : ends_[rank - 1]; }
  std::size_t count_of(std::uint32_t rank) const { return ends_[rank] - first_of(rank); }
  Place at(std::size_t row) const {
    if (row < ends_.front()) return {0, static_cast<std::uint32_t>(row)};  // most logs have one rank
    return find(row);
  }

 private:
  Place find(std::size_t row) const;

  std::vector<std::size_t> ends_;
};

/// What the tables read. The trace and the profile outlive it, or are owned by it. Read-only: threads may
/// share it.
struct TableSource {
  TableSource(const RuntimeLog& of_log, const MemoryProfile& of_memory);
  explicit TableSource(std::shared_ptr<const Profile> profile);

  std::shared_ptr<const Profile> owner;  ///< null: the caller keeps the profile
  const RuntimeLog& log;
  const MemoryProfile& memory;
  RankRows ops;
  RankRows blocks;
  RankRows buffers;
  RankRows programs;
  RankRows changes;
  RankRows failures;

  const RankLog& rank_log(RankRows::Place at) const { return log.ranks[at.rank]; }
  const RankProfile& rank_profile(RankRows::Place at) const { return memory.ranks[at.rank]; }
  const ExecutedOp& op(RankRows::Place at) const { return log.ranks[at.rank].ops[at.index]; }
  const Buffer& buffer(RankRows::Place at) const { return memory.ranks[at.rank].buffers[at.index]; }
};

/// A column of these tables.
template <typename Get>
table::ColumnOf<TableSource> mem_column(std::string_view name, std::string_view unit, std::string_view doc,
                                        Get get) {
  return table::column<TableSource>(name, unit, doc, get);
}

/// Null for kNone.
inline std::optional<std::uint32_t> known_id(std::uint32_t id) {
  return id == kNone ? std::nullopt : std::optional<std::uint32_t>(id);
}

/// Null for 0: lines count from 1.
inline std::optional<std::uint32_t> known_line(std::uint32_t line) {
  return line == 0 ? std::nullopt : std::optional<std::uint32_t>(line);
}

/// Null below 0: the input does not tell.
inline std::optional<std::int64_t> known_figure(std::int64_t figure) {
  return figure < 0 ? std::nullopt : std::optional<std::int64_t>(figure);
}

inline std::optional<std::string_view> known_text(std::string_view text) {
  return text.empty() ? std::nullopt : std::optional<std::string_view>(text);
}

/// A name of the trace; null for kNone and the empty name.
inline std::optional<std::string_view> known_name(const RuntimeLog& log, std::uint32_t id) {
  return id == kNone ? std::nullopt : known_text(log.names[id]);
}

/// Line, name and location of an op of a rank; null where there is no such op.
std::optional<std::uint32_t> op_line(const TableSource& source, std::uint32_t rank, std::uint32_t op);
std::optional<std::string_view> op_name(const TableSource& source, std::uint32_t rank, std::uint32_t op);
std::optional<std::string> op_loc(const TableSource& source, std::uint32_t rank, std::uint32_t op);
/// Name of a program instance of a rank.
std::optional<std::string_view> program_name(const TableSource& source, std::uint32_t rank,
                                             std::uint32_t instance);

/// The declared tables, one file each. `in_order` is for a single rank whose lines never fall: then `op` and
/// `line` are marked as ascending.
const table::TableOf<TableSource>& ops_spec(bool in_order);
const table::TableOf<TableSource>& memory_spec();
const table::TableOf<TableSource>& buffers_spec();
const table::TableOf<TableSource>& programs_spec();
const table::TableOf<TableSource>& graphs_spec();
const table::TableOf<TableSource>& changes_spec();
const table::TableOf<TableSource>& peaks_spec();
const table::TableOf<TableSource>& failures_spec();
const table::TableOf<TableSource>& arguments_spec();
const table::TableOf<TableSource>& findings_spec();
const table::TableOf<TableSource>& verdict_spec();
const table::TableOf<TableSource>& fixes_spec();

/// The fixes of one failure, under the columns of `fixes`.
struct FixList {
  const RuntimeLog& log;
  const std::vector<Fix>& fixes;
};

const table::TableOf<FixList>& fix_list_spec();

}  // namespace ttscope::mem
