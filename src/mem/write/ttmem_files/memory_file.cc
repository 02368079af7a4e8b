// One of the four files of mem/write/ttmem_files/files.h: NAME_memory.json.
#include <algorithm>

#include "mem/analyse/bank_states.h"
#include "mem/write/json/op_json.h"
#include "mem/write/ttmem_files/files.h"
#include "mem/write/ttmem_files/record_text.h"
#include "mem/write/ttmem_files/state_text.h"

namespace ttscope::mem {
namespace {

constexpr std::string_view kIndent = "\n      ";

class MemoryFile {
 public:
  MemoryFile(const RuntimeTrace& trace, const MemoryProfile& profile, Writer& out)
      : trace_(trace),
        profile_(profile),
        out_(out),
        ops_(trace, kTtmemStyle),
        types_(kTtmemStyle),
        text_(trace, profile, kIndent) {}

  void write() {
    out_.write("{\n  \"metadata\": {\n    \"memory_config\": ");
    write_configuration();
    out_.write(",\n    \"total_operations\": ");
    std::uint64_t total = 0;
    for (const RankProfile& rank : profile_.ranks) total += rank.counted_ops;
    report::write_integer(out_, static_cast<std::int64_t>(total));
    out_.write("\n  },\n  \"operations\": [");
    for (std::uint32_t rank = 0; rank < trace_.ranks.size(); ++rank) write_rank(rank);
    out_.write(index_ == 0 ? "]\n}" : "\n  ]\n}");
  }

 private:
  /// Banks and sizes as the first recorded op shows them.
  void write_configuration() {
    Geometry geometry;
    for (std::uint32_t rank = 0; rank < trace_.ranks.size() && geometry == Geometry{}; ++rank) {
      const auto& ops = trace_.ranks[rank].ops;
      const auto counted = [&](const ExecutedOp& op) { return is_counted(trace_, op); };
      const auto first = std::find_if(ops.begin(), ops.end(), counted);
      if (first == ops.end()) continue;
      BankStates states(trace_, profile_, rank);
      geometry = states.before(static_cast<std::uint32_t>(first - ops.begin())).state.geometry;
    }
    std::string text;
    for (std::size_t m = 0; m < kMemoryCount; ++m) {
      if (geometry.banks[m] == 0) continue;
      text.append(text.empty() ? "{" : ",").append("\n      \"").append(name_of(kMemories[m]));
      text += "\": {\n        \"num_banks\": ";
      report::append_integer(text, geometry.banks[m]);
      text += ",\n        \"total_bytes_per_bank_MB\": ";
      report::append_thousandths(text, geometry.total[m]);
      text += "\n      }";
    }
    out_.write(text.empty() ? "{}" : text + "\n    }");
  }

  void write_rank(std::uint32_t rank) {
    const auto& ops = trace_.ranks[rank].ops;
    BankStates states(trace_, profile_, rank);
    text_.use_rank(rank);
    for (std::uint32_t i = 0; i < ops.size(); ++i) {
      if (!is_counted(trace_, ops[i])) continue;
      out_.write(index_ == 0 ? "\n    {" : ",\n    {");
      write_record(rank, i, states);
      out_.write("\n    }");
      ++index_;
    }
  }

  void write_record(std::uint32_t rank, std::uint32_t i, BankStates& states) {
    const ExecutedOp& op = trace_.ranks[rank].ops[i];
    const RankProfile& profile = profile_.ranks[rank];
    const BankStates::Before before = states.before(i);
    out_.write("\n      \"op_type\": ");
    out_.write(type_of(op));
    out_.write(",\n      \"memory\": ");
    state_text_.write_state(out_, before.state);
    out_.write(",\n      \"index\": ");
    report::write_integer(out_, index_);
    out_.write(",\n      \"mlir_op\": ");
    out_.write(ops_.name(op));
    out_.write(",\n      \"loc\": ");
    out_.write(ops_.loc(op));
    out_.write(text_.const_eval(op));
    const bool weight = i < profile.is_weight_op.size() && profile.is_weight_op[i];
    out_.write(weight ? ",\n      \"is_weight_op\": true" : ",\n      \"is_weight_op\": false");
    out_.write(",\n      \"unpadded_memory\": ");
    static constexpr std::array<LiveTotals, kTensorMemoryCount> kNothing{};
    state_text_.write_totals(out_, i < profile.live_totals.size() ? profile.live_totals[i] : kNothing);
    write_after(states.after(i, before.state), before.source);
    write_own_growth(profile, i);
    out_.write(",\n      \"op_index\": ");
    report::write_integer(out_, i);
    out_.write(",\n      \"line\": ");
    report::write_integer(out_, op.line);
    out_.write(text_.program(op));
  }

  void write_after(const BankStates::After& after, StateSource source) {
    out_.write(",\n      \"memory_source\": \"");
    out_.write(name_of(source));
    out_.write("\",\n      \"memory_after\": ");
    state_text_.write_figures(out_, after.state);
    out_.write(",\n      \"memory_after_confidence\": \"");
    out_.write(name_of(after.confidence));
    out_.write('"');
  }

  void write_own_growth(const RankProfile& profile, std::uint32_t i) {
    static const OpEffect kNothing;
    const OpEffect& effect = i < profile.effects.size() ? profile.effects[i] : kNothing;
    out_.write(",\n      \"own_growth\": {\n        \"DRAM\": ");
    report::write_integer(out_, effect.own_growth[index_of(Memory::kDram)]);
    out_.write(",\n        \"L1\": ");
    report::write_integer(out_, effect.own_growth[index_of(Memory::kL1)]);
    out_.write("\n      },\n      \"own_growth_confidence\": \"");
    const Confidence weakest = std::max(effect.confidence[0], effect.confidence[1]);
    out_.write(name_of(weakest == Confidence::kNone ? Confidence::kModelled : weakest));
    out_.write('"');
  }

  std::string_view type_of(const ExecutedOp& op) {
    if (op.op_type == kNone) return "null";
    return types_.get(op.op_type,
                      [&](report::JsonQuoter& quoter) { return quoter.quoted(trace_.names[op.op_type]); });
  }

  const RuntimeTrace& trace_;
  const MemoryProfile& profile_;
  Writer& out_;
  OpJson ops_;
  report::JsonTable types_;
  RecordText text_;
  StateText state_text_;
  std::int64_t index_ = 0;  ///< of the next record
};

}  // namespace

void write_memory_file(const RuntimeTrace& trace, const MemoryProfile& profile, Writer& out) {
  MemoryFile(trace, profile, out).write();
}

}  // namespace ttscope::mem
