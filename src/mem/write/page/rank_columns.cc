#include "mem/write/page/rank_columns.h"

#include "report/table_blobs.h"

namespace ttscope::mem {
namespace {

using report::BlobForm;
using report::ColumnType;
using report::Stored;

constexpr BlobForm kIndex{ColumnType::kU32, Stored::kPlain, kNone};
constexpr BlobForm kNearIndex{ColumnType::kU32, Stored::kDelta, kNone};
constexpr BlobForm kNumber{ColumnType::kU32, Stored::kPlain, 0};
constexpr BlobForm kNearNumber{ColumnType::kU32, Stored::kDelta, 0};
constexpr BlobForm kBytes{ColumnType::kI64, Stored::kPlain, 0};

/// The rows of a rank in one of the declared tables.
report::BlobRows rows_of(const RankView& rank, const table::TableOf<TableSource>& spec,
                         RankRows TableSource::*rows) {
  const RankRows& all = (*rank.source).*rows;
  return {table::make_table(spec, rank.source, all.total()), all.first_of(rank.index),
          all.count_of(rank.index)};
}

/// Names of the values of an enum, in its order.
template <typename Enum>
std::vector<std::string_view> names_of(std::size_t count) {
  std::vector<std::string_view> names;
  for (std::size_t i = 0; i < count; ++i) names.push_back(name_of(static_cast<Enum>(i)));
  return names;
}

report::BlobColumn coded(std::string_view id, std::string_view column, std::vector<std::string_view> codes) {
  return {id, column, {ColumnType::kU8}, std::move(codes)};
}

void add_columns(report::PageBlobs& blobs, const RankView& rank, const report::BlobRows& rows,
                 const std::vector<report::BlobColumn>& columns) {
  report::add_columns(blobs, rows, rank.id({}), columns);
}

void add_totals(report::PageBlobs& blobs, const RankView& rank) {
  const auto& totals = rank.profile.live_totals;
  if (totals.empty()) return;
  for (const Memory memory : kTensorMemories) {
    const auto add = [&](std::string_view what, auto field) {
      blobs.add<std::int64_t>(rank.id(what) + std::string(name_of(memory)), totals.size(), Stored::kDelta,
                              [&totals, field, m = index_of(memory)](std::size_t i) {
                                return static_cast<std::int64_t>(totals[i][m].*field);
                              });
    };
    add("tot.logical.", &LiveTotals::logical_bytes);
    add("tot.padded.", &LiveTotals::padded_bytes);
    add("tot.tensors.", &LiveTotals::tensors);
  }
}

void add_changes(report::PageBlobs& blobs, const RankView& rank) {
  const report::BlobRows rows = rows_of(rank, changes_spec(), &TableSource::changes);
  constexpr std::size_t kCauses = 3;
  add_columns(blobs, rank, rows,
              {coded("chg.cause", "event", names_of<BoundaryChange::Cause>(kCauses)),
               {"chg.op", "before_op", kNearNumber},
               {"chg.program", "program", kIndex},
               {"chg.DRAM", "dram_change_bytes_per_bank", kBytes},
               {"chg.L1", "l1_change_bytes_per_bank", kBytes}});
}

/// A column of an id of many records that no table has: tables have the texts.
template <typename Records, typename Field>
void add_ids(report::PageBlobs& blobs, std::string id, const Records& records, Field field) {
  blobs.add<std::uint32_t>(std::move(id), records.size(), Stored::kPlain,
                           [&records, field](std::size_t i) { return records[i].*field; });
}

void add_duplicates(report::PageBlobs& blobs, const RankView& rank) {
  const auto& pairs = rank.profile.duplicated_weights;
  add_ids(blobs, rank.id("dup.weight"), pairs, &DuplicatedWeight::weight);
  add_ids(blobs, rank.id("dup.copy"), pairs, &DuplicatedWeight::copy);
}

}  // namespace

void add_ops(report::PageBlobs& blobs, const RankView& rank) {
  const auto& ops = rank.trace.ops;
  const PageTables& tables = rank.tables;
  blobs.add<std::uint32_t>(rank.id("op.text"), ops.size(), Stored::kPlain,
                           [&ops, &tables](std::size_t i) { return tables.text_of(ops[i]); });
  blobs.add<std::uint32_t>(rank.id("op.loc"), ops.size(), Stored::kPlain,
                           [&ops, &tables](std::size_t i) { return tables.loc_of(ops[i]); });
  const report::BlobRows rows = rows_of(rank, ops_spec(false), &TableSource::ops);
  add_columns(blobs, rank, rows, {{"op.program", "program", kIndex}, {"op.line", "line", kNearNumber}});
  report::add_flags(blobs, rank.id("op.flags"), rows,
                    {"counted", "weight_op", "retained", "cache_hit", "cache_miss"});
  constexpr std::size_t kConfidences = 4;
  add_columns(blobs, rank, rows,
              {{"op.grow.DRAM", "dram_growth_bytes_per_bank", kBytes},
               coded("op.conf.DRAM", "dram_growth_confidence", names_of<Confidence>(kConfidences)),
               {"op.grow.L1", "l1_growth_bytes_per_bank", kBytes},
               coded("op.conf.L1", "l1_growth_confidence", names_of<Confidence>(kConfidences))});
}

void add_buffers(report::PageBlobs& blobs, const RankView& rank) {
  const auto& buffers = rank.profile.buffers;
  if (buffers.empty()) return add_totals(blobs, rank);
  const report::BlobRows rows = rows_of(rank, buffers_spec(), &TableSource::buffers);
  blobs.add<std::uint32_t>(rank.id("buf.type"), buffers.size(), Stored::kPlain, [rank](std::size_t i) {
    return rank.tables.type_of(rank.index, rank.profile.buffers[i].type);
  });
  add_ids(blobs, rank.id("buf.name"), buffers, &Buffer::name);
  add_columns(blobs, rank, rows,
              {{"buf.program", "program", kIndex},
               {"buf.arg", "argument", kIndex},
               {"buf.op", "producer_op", kNearIndex},
               {"buf.born", "born_moment", kNearNumber},
               {"buf.died", "died_moment", kNearIndex},
               {"buf.bytes", "bytes_per_bank", kBytes},
               coded("buf.memory", "memory", names_of<Memory>(kTensorMemoryCount)),
               coded("buf.kind", "kind", names_of<TensorKind>(kTensorKindCount))});
  add_duplicates(blobs, rank);
}

void add_programs(report::PageBlobs& blobs, const RankView& rank) {
  const report::BlobRows rows = rows_of(rank, programs_spec(), &TableSource::programs);
  add_ids(blobs, rank.id("prog.name"), rank.trace.programs, &ProgramInstance::name);
  add_columns(blobs, rank, rows,
              {{"prog.graph", "graph", kIndex},
               {"prog.run", "run", kNumber},
               {"prog.parent", "parent", kIndex},
               {"prog.caller", "caller_op", kIndex},
               {"prog.first", "first_op", kNumber},
               {"prog.end", "end_op", kNumber},
               {"prog.line", "start_line", kNumber},
               {"prog.end_line", "end_line", kNumber}});
  report::add_flags(blobs, rank.id("prog.flags"), rows, {"const_eval"});
  add_columns(blobs, rank, rows, {{"prog.peak", "dram_peak_bytes_per_bank", kBytes}});
  add_changes(blobs, rank);
}

}  // namespace ttscope::mem
