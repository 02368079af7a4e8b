// One of the four files of mem/write/ttmem_files/files.h: NAME_operations.json.
#include "mem/analyse/weight_flow.h"
#include "mem/write/json/op_json.h"
#include "mem/write/ttmem_files/files.h"
#include "mem/write/ttmem_files/op_fragments.h"
#include "mem/write/ttmem_files/record_text.h"

namespace ttscope::mem {
namespace {

constexpr std::string_view kRecordIndent = "\n    ";

class OperationsFile {
 public:
  OperationsFile(const RuntimeTrace& trace, const MemoryProfile& profile, Writer& out)
      : trace_(trace),
        profile_(profile),
        out_(out),
        ops_(trace, kTtmemStyle),
        weights_(kTtmemStyle),
        text_(trace, profile, kRecordIndent),
        fragments_(trace),
        flow_(trace, profile) {}

  void write() {
    out_.write("[");
    for (std::uint32_t rank = 0; rank < trace_.ranks.size(); ++rank) {
      const auto& ops = trace_.ranks[rank].ops;
      text_.use_rank(rank);
      flow_.use_rank(rank);
      for (std::uint32_t i = 0; i < ops.size(); ++i) {
        if (is_counted(trace_, ops[i])) write_record(rank, i);
      }
    }
    out_.write(index_ == 0 ? "]" : "\n]");
  }

 private:
  void write_record(std::uint32_t rank, std::uint32_t i) {
    const ExecutedOp& op = trace_.ranks[rank].ops[i];
    const RankProfile& profile = profile_.ranks[rank];
    const OpFragment fragment = fragments_.get(op);
    if (index_ > 0) out_.write(',');
    out_.write(fragment.head);
    out_.write(ops_.loc(op));
    out_.write(",\n    \"index\": ");
    report::write_integer(out_, index_++);
    out_.write(text_.const_eval(op));
    const bool weight = i < profile.is_weight_op.size() && profile.is_weight_op[i];
    out_.write(weight ? ",\n    \"is_weight_op\": true" : ",\n    \"is_weight_op\": false");
    write_weights(i);
    out_.write(fragment.tail);
    out_.write(",\n    \"op_index\": ");
    report::write_integer(out_, i);
    out_.write(",\n    \"line\": ");
    report::write_integer(out_, op.line);
    out_.write(text_.program(op));
    out_.write("\n  }");
  }

  void write_weights(std::uint32_t i) {
    out_.write(",\n    \"weights\": [");
    bool first = true;
    for (const std::uint32_t id : flow_.weights_of(i)) {
      if (!first) out_.write(',');
      first = false;
      out_.write(weight_json(id));
    }
    out_.write(first ? "]" : "\n    ]");
  }

  std::string_view weight_json(std::uint32_t id) {
    return weights_.get(id, [&](report::JsonQuoter& quoter) {
      const Argument& argument = profile_.arguments[id];
      const auto field = [&](std::string_view name, std::string_view json) {
        weight_.append("\n        \"").append(name).append("\": ").append(json);
      };
      weight_ = "\n      {";
      field("registry_index", std::to_string(id) + ",");
      field("name", quoter.quoted(argument.name));
      weight_ += ',';
      field("shape", quoter.quoted_or_null(shape_text(argument.shape)));
      weight_ += ',';
      field("dtype", quoter.quoted(argument.dtype));
      weight_ += ',';
      field("bytes", std::to_string(argument.logical_bytes));
      weight_ += "\n      }";
      return std::string_view(weight_);
    });
  }

  const RuntimeTrace& trace_;
  const MemoryProfile& profile_;
  Writer& out_;
  OpJson ops_;
  report::JsonTable weights_;
  RecordText text_;
  OpFragments fragments_;
  WeightFlow flow_;
  std::string weight_;
  std::int64_t index_ = 0;  ///< of the next record
};

}  // namespace

void write_operations_file(const RuntimeTrace& trace, const MemoryProfile& profile, Writer& out) {
  OperationsFile(trace, profile, out).write();
}

}  // namespace ttscope::mem
