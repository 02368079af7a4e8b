#include "mem/write/page/rank_columns.h"

namespace ttscope::mem {
namespace {

/// Bits of `op.flags`.
enum OpFlag : std::uint8_t { kCounted = 1, kWeightOp = 2, kRetained = 4, kCacheHit = 8, kCacheMiss = 16 };

std::uint8_t flags_of(const RankView& rank, std::size_t i) {
  const ExecutedOp& op = rank.trace.ops[i];
  const bool weight = i < rank.profile.is_weight_op.size() && rank.profile.is_weight_op[i];
  int flags = is_counted(rank.whole, op) ? kCounted : 0;
  flags |= (weight ? kWeightOp : 0) | (op.retained ? kRetained : 0);
  flags |= (op.cache_hit ? kCacheHit : 0) | (op.cache_miss ? kCacheMiss : 0);
  return static_cast<std::uint8_t>(flags);
}

void add_effects(report::PageBlobs& blobs, const RankView& rank) {
  const auto& effects = rank.profile.effects;
  for (const Memory memory : kTensorMemories) {
    const std::size_t m = index_of(memory);
    const std::string name(name_of(memory));
    blobs.add<std::int64_t>(rank.id("op.grow.") + name, effects.size(), report::Stored::kPlain,
                            [&effects, m](std::size_t i) { return effects[i].own_growth[m]; });
    blobs.add<std::uint8_t>(
        rank.id("op.conf.") + name, effects.size(), report::Stored::kPlain,
        [&effects, m](std::size_t i) { return static_cast<std::uint8_t>(effects[i].confidence[m]); });
  }
}

void add_totals(report::PageBlobs& blobs, const RankView& rank) {
  const auto& totals = rank.profile.live_totals;
  if (totals.empty()) return;
  for (const Memory memory : kTensorMemories) {
    const auto add = [&](std::string_view what, auto field) {
      blobs.add<std::int64_t>(rank.id(what) + std::string(name_of(memory)), totals.size(),
                              report::Stored::kDelta, [&totals, field, m = index_of(memory)](std::size_t i) {
                                return static_cast<std::int64_t>(totals[i][m].*field);
                              });
    };
    add("tot.logical.", &LiveTotals::logical_bytes);
    add("tot.padded.", &LiveTotals::padded_bytes);
    add("tot.tensors.", &LiveTotals::tensors);
  }
}

void add_changes(report::PageBlobs& blobs, const RankView& rank) {
  const auto& changes = rank.profile.changes;
  blobs.add<std::uint8_t>(rank.id("chg.cause"), changes.size(), report::Stored::kPlain,
                          [&changes](std::size_t i) { return static_cast<std::uint8_t>(changes[i].cause); });
  blobs.add<std::uint32_t>(rank.id("chg.op"), changes.size(), report::Stored::kDelta,
                           [&changes](std::size_t i) { return changes[i].before_op; });
  blobs.add<std::uint32_t>(rank.id("chg.program"), changes.size(), report::Stored::kPlain,
                           [&changes](std::size_t i) { return changes[i].instance; });
  for (const Memory memory : kTensorMemories) {
    blobs.add<std::int64_t>(rank.id("chg.") + std::string(name_of(memory)), changes.size(),
                            report::Stored::kPlain,
                            [&changes, m = index_of(memory)](std::size_t i) { return changes[i].delta[m]; });
  }
}

/// A column of one field of many records.
template <typename T, typename Records, typename Field>
void add_field(report::PageBlobs& blobs, std::string id, const Records& records, Field field) {
  blobs.add<T>(std::move(id), records.size(), report::Stored::kPlain,
               [&records, field](std::size_t i) { return static_cast<T>(records[i].*field); });
}

void add_duplicates(report::PageBlobs& blobs, const RankView& rank) {
  const auto& pairs = rank.profile.duplicated_weights;
  add_field<std::uint32_t>(blobs, rank.id("dup.weight"), pairs, &DuplicatedWeight::weight);
  add_field<std::uint32_t>(blobs, rank.id("dup.copy"), pairs, &DuplicatedWeight::copy);
}

}  // namespace

void add_ops(report::PageBlobs& blobs, const RankView& rank) {
  const auto& ops = rank.trace.ops;
  const PageTables& tables = rank.tables;
  blobs.add<std::uint32_t>(rank.id("op.text"), ops.size(), report::Stored::kPlain,
                           [&ops, &tables](std::size_t i) { return tables.text_of(ops[i]); });
  blobs.add<std::uint32_t>(rank.id("op.loc"), ops.size(), report::Stored::kPlain,
                           [&ops, &tables](std::size_t i) { return tables.loc_of(ops[i]); });
  add_field<std::uint32_t>(blobs, rank.id("op.program"), ops, &ExecutedOp::instance);
  blobs.add<std::uint32_t>(rank.id("op.line"), ops.size(), report::Stored::kDelta,
                           [&ops](std::size_t i) { return ops[i].line; });
  blobs.add<std::uint8_t>(rank.id("op.flags"), ops.size(), report::Stored::kPlain,
                          [rank](std::size_t i) { return flags_of(rank, i); });
  add_effects(blobs, rank);
}

void add_buffers(report::PageBlobs& blobs, const RankView& rank) {
  const auto& buffers = rank.profile.buffers;
  if (buffers.empty()) return add_totals(blobs, rank);
  blobs.add<std::uint32_t>(
      rank.id("buf.type"), buffers.size(), report::Stored::kPlain,
      [rank](std::size_t i) { return rank.tables.type_of(rank.index, rank.profile.buffers[i].type); });
  add_field<std::uint32_t>(blobs, rank.id("buf.name"), buffers, &Buffer::name);
  add_field<std::uint32_t>(blobs, rank.id("buf.program"), buffers, &Buffer::instance);
  add_field<std::uint32_t>(blobs, rank.id("buf.arg"), buffers, &Buffer::argument);
  for (const auto& [name, field] :
       {std::pair("buf.op", &Buffer::producer_op), std::pair("buf.born", &Buffer::born),
        std::pair("buf.died", &Buffer::died)}) {
    blobs.add<std::uint32_t>(rank.id(name), buffers.size(), report::Stored::kDelta,
                             [&buffers, member = field](std::size_t i) { return buffers[i].*member; });
  }
  add_field<std::int64_t>(blobs, rank.id("buf.bytes"), buffers, &Buffer::bytes_per_bank);
  add_field<std::uint8_t>(blobs, rank.id("buf.memory"), buffers, &Buffer::memory);
  add_field<std::uint8_t>(blobs, rank.id("buf.kind"), buffers, &Buffer::kind);
  add_duplicates(blobs, rank);
}

void add_programs(report::PageBlobs& blobs, const RankView& rank) {
  const auto& programs = rank.trace.programs;
  const auto& summaries = rank.profile.programs;
  add_field<std::uint32_t>(blobs, rank.id("prog.name"), programs, &ProgramInstance::name);
  add_field<std::uint32_t>(blobs, rank.id("prog.graph"), summaries, &ProgramSummary::graph);
  add_field<std::uint32_t>(blobs, rank.id("prog.run"), summaries, &ProgramSummary::run);
  add_field<std::uint32_t>(blobs, rank.id("prog.parent"), programs, &ProgramInstance::parent);
  add_field<std::uint32_t>(blobs, rank.id("prog.caller"), programs, &ProgramInstance::caller_op);
  add_field<std::uint32_t>(blobs, rank.id("prog.first"), programs, &ProgramInstance::first_op);
  add_field<std::uint32_t>(blobs, rank.id("prog.end"), programs, &ProgramInstance::end_op);
  add_field<std::uint32_t>(blobs, rank.id("prog.line"), programs, &ProgramInstance::start_line);
  add_field<std::uint32_t>(blobs, rank.id("prog.end_line"), programs, &ProgramInstance::end_line);
  add_field<std::uint8_t>(blobs, rank.id("prog.flags"), summaries, &ProgramSummary::const_eval);
  add_field<std::int64_t>(blobs, rank.id("prog.peak"), summaries, &ProgramSummary::dram_peak_bytes_per_bank);
  add_changes(blobs, rank);
}

}  // namespace ttscope::mem
