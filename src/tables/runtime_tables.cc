#include "tables/log_tables.h"
#include "tables/text_codes.h"

namespace ttscope::tables {
namespace {

using Numbers = std::vector<std::int64_t>;

std::int64_t maybe(std::uint32_t id) { return id == kNone ? -1 : static_cast<std::int64_t>(id); }

Table ops_table(const mem::RuntimeTrace& trace, const mem::MemoryProfile& profile) {
  Numbers rank, line, program, dram_growth, l1_growth, dram_before, l1_before;
  TextCodes name, loc, confidence;
  for (std::size_t r = 0; r < trace.ranks.size(); ++r) {
    const mem::RankTrace& ops_of = trace.ranks[r];
    const mem::RankProfile& result = profile.ranks[r];
    for (std::size_t i = 0; i < ops_of.ops.size(); ++i) {
      const mem::ExecutedOp& op = ops_of.ops[i];
      rank.push_back(ops_of.number);
      line.push_back(op.line);
      program.push_back(maybe(op.instance));
      name.add(trace.name_of(op));
      loc.add(op.loc == kNone ? std::string() : mem::display_loc(trace.locs[op.loc]));
      dram_growth.push_back(result.effects[i].own_growth[0]);
      l1_growth.push_back(result.effects[i].own_growth[1]);
      confidence.add(name_of(result.effects[i].confidence[0]));
      dram_before.push_back(i < result.accounted.size() ? result.accounted[i][0] : -1);
      l1_before.push_back(i < result.accounted.size() ? result.accounted[i][1] : -1);
    }
  }
  Table table{"ops", {}};
  table.add("rank", std::move(rank));
  table.add("line", std::move(line));
  table.add("program", std::move(program));
  table.add("name", name.take());
  table.add("loc", loc.take());
  table.add("dram_growth_bytes_per_bank", std::move(dram_growth));
  table.add("l1_growth_bytes_per_bank", std::move(l1_growth));
  table.add("dram_growth_confidence", confidence.take());
  table.add("dram_accounted_before_bytes_per_bank", std::move(dram_before));
  table.add("l1_accounted_before_bytes_per_bank", std::move(l1_before));
  return table;
}

Table memory_table(const mem::RuntimeTrace& trace) {
  Numbers rank, line, before_op;
  std::array<Numbers, mem::kMemoryCount> allocated, free, largest;
  for (const mem::RankTrace& blocks_of : trace.ranks) {
    for (const mem::MemoryBlock& block : blocks_of.blocks) {
      rank.push_back(blocks_of.number);
      line.push_back(block.line);
      before_op.push_back(block.before_op);
      for (std::size_t m = 0; m < mem::kMemoryCount; ++m) {
        allocated[m].push_back(mem::bytes_of(block.allocated[m]));
        free[m].push_back(mem::bytes_of(block.free[m]));
        largest[m].push_back(mem::bytes_of(block.largest_free[m]));
      }
    }
  }
  static constexpr std::array<const char*, mem::kMemoryCount> kNames{"dram", "l1", "l1_small", "trace"};
  Table table{"memory", {}};
  table.add("rank", std::move(rank));
  table.add("line", std::move(line));
  table.add("before_op", std::move(before_op));
  for (std::size_t m = 0; m < mem::kMemoryCount; ++m) {
    const std::string memory = kNames[m];
    table.add(memory + "_allocated_bytes_per_bank", std::move(allocated[m]));
    table.add(memory + "_free_bytes_per_bank", std::move(free[m]));
    table.add(memory + "_largest_free_bytes_per_bank", std::move(largest[m]));
  }
  return table;
}

Table buffers_table(const mem::RuntimeTrace& trace, const mem::MemoryProfile& profile) {
  Numbers rank, producer, born, died, bytes;
  TextCodes name, memory, kind;
  for (std::size_t r = 0; r < profile.ranks.size(); ++r) {
    for (const mem::Buffer& buffer : profile.ranks[r].buffers) {
      rank.push_back(trace.ranks[r].number);
      name.add(buffer.name == kNone ? std::string_view() : trace.names[buffer.name]);
      producer.push_back(maybe(buffer.producer_op));
      memory.add(mem::name_of(mem::kTensorMemories[buffer.memory]));
      kind.add(mem::name_of(buffer.kind));
      // Moments come in pairs, before and after an op; a column of ops is easier to use.
      born.push_back(buffer.born / 2);
      died.push_back(buffer.died == mem::kForever ? -1 : static_cast<std::int64_t>(buffer.died / 2));
      bytes.push_back(buffer.bytes_per_bank);
    }
  }
  Table table{"buffers", {}};
  table.add("rank", std::move(rank));
  table.add("name", name.take());
  table.add("memory", memory.take());
  table.add("kind", kind.take());
  table.add("producer_op", std::move(producer));
  table.add("born_at_op", std::move(born));
  table.add("died_at_op", std::move(died));
  table.add("bytes_per_bank", std::move(bytes));
  return table;
}

Table programs_table(const mem::RuntimeTrace& trace) {
  Numbers rank, parent, first_op, end_op, start_line, end_line;
  TextCodes name;
  for (const mem::RankTrace& programs_of : trace.ranks) {
    for (const mem::ProgramInstance& program : programs_of.programs) {
      rank.push_back(programs_of.number);
      name.add(program.name == kNone ? std::string_view() : trace.names[program.name]);
      parent.push_back(maybe(program.parent));
      first_op.push_back(program.first_op);
      end_op.push_back(program.end_op);
      start_line.push_back(program.start_line);
      end_line.push_back(program.end_line);
    }
  }
  Table table{"programs", {}};
  table.add("rank", std::move(rank));
  table.add("name", name.take());
  table.add("parent", std::move(parent));
  table.add("first_op", std::move(first_op));
  table.add("end_op", std::move(end_op));
  table.add("start_line", std::move(start_line));
  table.add("end_line", std::move(end_line));
  return table;
}

}  // namespace

ProfileTables runtime_tables(const mem::RuntimeTrace& trace, const mem::MemoryProfile& profile) {
  ProfileTables result;
  result.kind = "runtime_log";
  result.tables.push_back(ops_table(trace, profile));
  result.tables.push_back(memory_table(trace));
  result.tables.push_back(buffers_table(trace, profile));
  result.tables.push_back(programs_table(trace));
  result.warnings = trace.warnings;
  return result;
}

}  // namespace ttscope::tables
