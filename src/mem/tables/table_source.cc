#include "mem/tables/table_source.h"

#include <algorithm>

namespace ttscope::mem {

RankRows::Place RankRows::find(std::size_t row) const {
  const auto end = std::upper_bound(ends_.begin(), ends_.end(), row);
  const auto rank = static_cast<std::uint32_t>(end - ends_.begin());
  return {rank, static_cast<std::uint32_t>(row - first_of(rank))};
}

TableSource::TableSource(const RuntimeTrace& of_trace, const MemoryProfile& of_memory)
    : trace(of_trace), memory(of_memory) {
  for (std::size_t rank = 0; rank < trace.ranks.size(); ++rank) {
    const RankTrace& read = trace.ranks[rank];
    const RankProfile& found = memory.ranks[rank];
    ops.add_rank(read.ops.size());
    blocks.add_rank(read.blocks.size());
    buffers.add_rank(found.buffers.size());
    programs.add_rank(read.programs.size());
    changes.add_rank(found.changes.size());
    failures.add_rank(read.failures.size());
  }
}

TableSource::TableSource(std::shared_ptr<const Profile> profile)
    : TableSource(profile->trace, profile->memory) {
  owner = std::move(profile);
}

std::optional<std::uint32_t> op_line(const TableSource& source, std::uint32_t rank, std::uint32_t op) {
  const auto& ops = source.trace.ranks[rank].ops;
  return op < ops.size() ? known_line(ops[op].line) : std::nullopt;
}

std::optional<std::string_view> op_name(const TableSource& source, std::uint32_t rank, std::uint32_t op) {
  const auto& ops = source.trace.ranks[rank].ops;
  return op < ops.size() ? known_text(source.trace.name_of(ops[op])) : std::nullopt;
}

std::optional<std::string> op_loc(const TableSource& source, std::uint32_t rank, std::uint32_t op) {
  const auto& ops = source.trace.ranks[rank].ops;
  if (op >= ops.size() || ops[op].loc == kNone) return std::nullopt;
  std::string text = display_loc(source.trace.locs[ops[op].loc]);
  return text.empty() ? std::nullopt : std::optional<std::string>(std::move(text));
}

std::optional<std::string_view> program_name(const TableSource& source, std::uint32_t rank,
                                             std::uint32_t instance) {
  const auto& programs = source.trace.ranks[rank].programs;
  return instance < programs.size() ? known_name(source.trace, programs[instance].name) : std::nullopt;
}

}  // namespace ttscope::mem
