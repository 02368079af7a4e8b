#include <algorithm>
#include <string>
#include <tuple>
#include <vector>

#include "mem/analyze/bank_states.h"
#include "mem/analyze/growth.h"
#include "mem/write/json.h"
#include "mem/write/json_document.h"
#include "mem/write/verdict_text.h"
#include "ui/json_text.h"

namespace ttscope::mem {
namespace {

void write_head(MemDocument& document, const MemJsonOptions& options) {
  JsonWriter& json = document.json;
  ui::write_document_head(json, "ttscope.mem/1", options.tool_version);
  json.array("inputs", [&] {
    for (std::size_t i = 0; i < document.log.files.size(); ++i)
      json.object([&] {
        json.field("path", document.log.files[i]);
        json.field("lines", i < document.log.file_lines.size() ? document.log.file_lines[i] : 0);
      });
  });
}

void write_counts(MemDocument& document) {
  std::uint64_t ops = 0;
  std::uint64_t executed = 0;
  std::uint64_t weight_ops = 0;
  for (const RankProfile& rank : document.profile.ranks) {
    ops += rank.counted_ops;
    executed += rank.executed_ops;
    weight_ops += rank.weight_ops;
  }
  document.json.field("ops", ops);
  document.json.field("executed_ops", executed);
  document.json.field("weight_ops", weight_ops);
  document.json.field("activation_ops", ops - weight_ops);
}

}  // namespace

void write_mem_json(const RuntimeLog& log, const MemoryProfile& profile, Writer& out,
                    const MemJsonOptions& options) {
  JsonWriter json(out, {.indented = true});
  OpJson ops(log, {});
  MemDocument document{
      log, profile, out, json, ops, options.list_limit, std::make_shared<const TableSource>(log, profile)};
  const std::uint32_t rank = profile.main_rank;
  json.object([&] {
    write_head(document, options);
    write_trust(document);
    write_verdict(document);
    write_fixes(document);
    write_counts(document);
    json.field("main_rank", log.ranks[rank].number);
    write_device(document, rank);
    write_memory(document, rank);
    write_live_at_peak(document, rank);
    write_live_at(document);
    write_padding(document, rank);
    write_fragmentation(document, rank);
    write_weights(document);
    write_operations_by_kind(document);
    write_failures(document);
    write_ranks(document);
    write_graphs(document);
    write_programs(document);
    write_changes(document);
    write_growth(document);
  });
  out.write('\n');
}

namespace {

/// Points of a fragmentation curve; each stands for the worst moment of its stretch of the log.
constexpr std::size_t kCurvePoints = 200;
constexpr double kFractionSteps = 1e6;

std::string_view name_of_source(FactSource source) {
  switch (source) {
    case FactSource::kMemoryLines:
      return "memory lines";
    case FactSource::kSystemDescription:
      return "system description";
    case FactSource::kFailureMessage:
      return "failure message";
    case FactSource::kGiven:
      return "given";
    case FactSource::kAssumed:
      break;
  }
  return "assumed";
}

std::string_view confidence_of(const RankProfile& rank, const Peak& peak) {
  if (peak.confidence != Confidence::kNone) return name_of(peak.confidence);
  return rank.measured ? "measured" : "modelled";
}

void write_coverage(JsonWriter& json, Memory memory, bool measured) {
  if (!measured) {
    json.list("includes",
              {"tensors that op lines or module dumps place in this memory, page padding and bank rounding "
               "included"});
    json.list("excludes", {"buffers that no op line names", "circular buffers and kernels",
                           "temporary buffers inside an op"});
    return;
  }
  json.list("includes",
            {"every buffer the allocator held when the memory line was printed: tensors, inputs, weights, "
             "const-eval results",
             "page padding and lockstep rounding to whole banks"});
  if (memory == Memory::kL1 || memory == Memory::kL1Small) {
    json.list("excludes", {"circular buffers and kernels, which share L1 but not its allocator",
                           "temporary buffers inside an op, freed before the next memory line"});
  } else {
    json.list("excludes", {"temporary buffers inside an op, freed before the next memory line"});
  }
}

/// `peak` is null where nothing tells it.
void write_peak_figures(JsonWriter& json, const Peak* peak, const DeviceFacts& device, Memory memory) {
  if (peak == nullptr) {
    for (const std::string_view name : {"bytes_per_bank", "bytes_total", "percent_of_capacity"})
      json.field(name, std::optional<std::int64_t>());
    return;
  }
  const std::size_t m = index_of(memory);
  json.field("bytes_per_bank", peak->bytes_per_bank);
  json.field("bytes_total",
             saturating_multiply(std::max<std::int64_t>(peak->bytes_per_bank, 0), device.banks[m]));
  json.field("percent_of_capacity", percent(peak->bytes_per_bank, device.capacity_bytes_per_bank[m]));
}

void write_peak(MemDocument& document, std::uint32_t rank, Memory memory) {
  const RankProfile& profile = document.profile.ranks[rank];
  const RankLog& log = document.log.ranks[rank];
  const Peak& peak = profile.peaks[index_of(memory)];
  const bool used = peak.bytes_per_bank > 0;
  JsonWriter& json = document.json;
  json.object("peak", [&] {
    write_peak_figures(json, has_peak(log, peak) ? &peak : nullptr, profile.device, memory);
    write_op(json, document, rank, used ? peak.op : kNone);
    const bool has_op = used && peak.op < log.ops.size();
    json.field("event",
               !used ? std::optional<std::string_view>()
                     : std::optional<std::string_view>(peak.at_program_start ? "program start" : "op"));
    json.field("program", has_op ? program_name(document, rank, log.ops[peak.op].instance) : std::nullopt);
    const bool seen = used && peak.block < log.blocks.size();
    json.field("seen_at_line", seen ? positive_or_null(log.blocks[peak.block].view_line[index_of(memory)])
                                    : positive_or_null(peak.message_line));
    json.field("confidence", confidence_of(profile, peak));
    write_coverage(json, memory, profile.measured);
  });
}

void write_fragmentation_curve(MemDocument& document, std::uint32_t rank, Memory memory) {
  const auto& blocks = document.log.ranks[rank].blocks;
  RecordList list(document, "curve");
  for (const std::uint32_t at : fragmentation_curve(blocks, memory, kCurvePoints)) {
    JsonWriter json = list.next();
    json.object([&] {
      json.field("before_op_index", blocks[at].before_op);
      json.field("line", blocks[at].line);
      json.field("fraction", rounded(fragmentation_of(blocks[at], memory), kFractionSteps));
    });
  }
}

void write_rank_record(MemDocument& document, std::uint32_t rank) {
  const RankLog& log = document.log.ranks[rank];
  const RankProfile& profile = document.profile.ranks[rank];
  JsonWriter& json = document.json;
  json.object([&] {
    json.field("rank", log.number);
    json.field("tag", log.tag);
    json.field("file", log.file);
    json.field("ops", profile.counted_ops);
    json.field("executed_ops", profile.executed_ops);
    json.field("weight_ops", profile.weight_ops);
    json.field("programs", log.programs.size());
    json.field("memory_blocks", log.blocks.size());
    json.field("has_op_lines", profile.has_op_lines);
    json.field("measured", profile.measured);
    json.field("failures", log.failures.size());
    json.field("duplicated_by_const_eval_bytes", profile.duplicated_weight_bytes);
    write_device(document, rank);
    write_memory(document, rank);
  });
}

}  // namespace

void write_device(MemDocument& document, std::uint32_t rank) {
  const DeviceFacts& device = document.profile.ranks[rank].device;
  JsonWriter& json = document.json;
  json.object("device", [&] {
    json.field("arch", text_or_null(device.arch));
    json.field("dram_alignment_bytes", device.dram_alignment_bytes);
    json.field("l1_alignment_bytes", device.l1_alignment_bytes);
    json.field("source", name_of_source(device.source));
    json.field("chips", positive_or_null(device.chips));
    json.field("mesh", text_or_null(device.mesh));
  });
}

void write_memory(MemDocument& document, std::uint32_t rank) {
  const DeviceFacts& device = document.profile.ranks[rank].device;
  JsonWriter& json = document.json;
  json.object("memory", [&] {
    for (const Memory memory : kMemories)
      json.object(name_of(memory), [&] {
        json.field("banks", device.banks[index_of(memory)]);
        json.field("capacity_bytes_per_bank", device.capacity_bytes_per_bank[index_of(memory)]);
        write_peak(document, rank, memory);
      });
  });
}

void write_ranks(MemDocument& document) {
  document.json.array("ranks", [&] {
    for (std::uint32_t rank = 0; rank < document.log.ranks.size(); ++rank) write_rank_record(document, rank);
  });
}

void write_fragmentation(MemDocument& document, std::uint32_t rank) {
  const RankLog& log = document.log.ranks[rank];
  JsonWriter& json = document.json;
  json.object("fragmentation", [&] {
    for (const Memory memory : kTensorMemories) {
      const std::size_t m = index_of(memory);
      const FragmentationMoment& worst = document.profile.ranks[rank].worst_fragmentation[m];
      const bool known = worst.block < log.blocks.size();
      json.object(name_of(memory), [&] {
        json.field("worst_fraction",
                   known ? std::optional<double>(rounded(worst.fraction, kFractionSteps)) : std::nullopt);
        json.field("before_op_index", known ? id_or_null(log.blocks[worst.block].before_op) : std::nullopt);
        json.field("line", known ? positive_or_null(log.blocks[worst.block].view_line[m]) : std::nullopt);
        json.field("free_bytes_per_bank",
                   known_or_null(known ? bytes_of(log.blocks[worst.block].free[m]) : -1));
        json.field("largest_free_bytes_per_bank",
                   known_or_null(known ? bytes_of(log.blocks[worst.block].largest_free[m]) : -1));
        write_fragmentation_curve(document, rank, memory);
      });
    }
  });
}

namespace {

const TensorType* find_type(const MemDocument& document, std::uint32_t rank, std::uint32_t id) {
  const auto& local = document.profile.ranks[rank].local_types;
  if (id >= kLocalTypeBase && id - kLocalTypeBase < local.size()) {
    return &local[id - kLocalTypeBase];
  }
  return id < document.log.types.size() ? &document.log.types[id] : nullptr;
}

/// Line of the op at whose start or end the moment lies.
std::optional<std::uint32_t> line_at(const RankLog& log, Moment moment) {
  const std::uint32_t op = moment / 2;
  return moment == kForever || op >= log.ops.size() ? std::nullopt : positive_or_null(log.ops[op].line);
}

/// Arguments are there when their program starts, other tensors from the end of the op that made them.
std::optional<std::uint32_t> born_line(const RankLog& log, const Buffer& buffer) {
  if (buffer.producer_op < log.ops.size()) return positive_or_null(log.ops[buffer.producer_op].line);
  if (buffer.instance < log.programs.size())
    return positive_or_null(log.programs[buffer.instance].start_line);
  return line_at(log, buffer.born);
}

void write_type(JsonWriter& json, const TensorType* type) {
  static const std::vector<std::int64_t> kNoShape;
  json.list("shape", type == nullptr ? kNoShape : type->shape);
  json.field("dtype", type == nullptr ? std::string_view() : std::string_view(type->dtype));
  json.field("logical_bytes", type == nullptr ? 0 : type->logical_bytes);
  json.field("padded_bytes", type == nullptr ? 0 : type->padded_bytes);
}

/// Tensors: rows of the table of buffers. Not from there are the shape, which documents have as numbers and
/// tables as a text, the name of the producer, and lines where tables have ops and moments.
class TensorRecords {
 public:
  explicit TensorRecords(const MemDocument& document)
      : document_(document),
        head_(rows({{"name", {}, table::WhereNull::kQuestionMark}, {"kind"}})),
        sizes_(rows({{"dtype", {}, table::WhereNull::kEmptyText},
                     {"logical_bytes", {}, table::WhereNull::kZero},
                     {"padded_bytes", {}, table::WhereNull::kZero},
                     {"bytes_per_bank"},
                     {"producer_line"}})),
        places_(rows({{"model_name"},
                      {"program", "program_name"},
                      {"program_instance", "program"},
                      {"memory_layout", "layout"}})) {}

  void write(JsonWriter& json, std::uint32_t rank, std::uint32_t id) {
    const RankLog& log = document_.log.ranks[rank];
    const Buffer& buffer = document_.profile.ranks[rank].buffers[id];
    const TensorType* type = find_type(document_, rank, buffer.type);
    const std::size_t row = document_.tables->buffers.first_of(rank) + id;
    json.object([&] {
      head_.write_row(json, row);
      json.list("shape", type == nullptr ? std::vector<std::int64_t>() : type->shape);
      sizes_.write_row(json, row);
      json.field("producer_op", buffer.producer_op < log.ops.size()
                                    ? std::optional(document_.log.name_of(log.ops[buffer.producer_op]))
                                    : std::nullopt);
      places_.write_row(json, row);
      json.field("born_line", born_line(log, buffer));
      json.field("freed_line", line_at(log, buffer.died));
      write_file(json, document_, log.file);
    });
  }

 private:
  table::JsonRows rows(const std::vector<table::JsonField>& fields) const {
    return document_.rows_of(buffers_spec(), document_.tables->buffers.total(), fields);
  }

  const MemDocument& document_;
  table::JsonRows head_;
  table::JsonRows sizes_;
  table::JsonRows places_;
};

void write_kinds(JsonWriter& json, const LiveSet& live) {
  json.object("bytes_per_bank_by_kind", [&] {
    for (std::size_t kind = 0; kind < kTensorKindCount; ++kind) {
      json.field(name_of(static_cast<TensorKind>(kind)), live.kind_bytes_per_bank[kind]);
    }
  });
}

void write_live_set(MemDocument& document, Memory memory, std::uint32_t rank, std::int64_t bytes_per_bank,
                    const LiveSet& live) {
  JsonWriter& json = document.json;
  json.object(name_of(memory), [&] {
    json.field("bytes_per_bank", bytes_per_bank);
    json.field("accounted_bytes_per_bank", live.accounted_bytes_per_bank);
    json.field("unaccounted_bytes_per_bank", live.unaccounted_bytes_per_bank);
    write_kinds(json, live);
    json.field("failing_results", live.failing_results);
    json.field("failing_result_bytes_per_bank", live.failing_result_bytes_per_bank);
    json.field("logical_bytes", live.logical_bytes);
    json.field("padded_bytes", live.padded_bytes);
    {
      RecordList list(document, "tensors");
      TensorRecords tensors(document);
      for (const std::uint32_t id : live.buffers) {
        if (list.full()) break;
        JsonWriter record = list.next();
        tensors.write(record, rank, id);
      }
    }
  });
}

void write_worst_padding(MemDocument& document) {
  RecordList list(document, "worst");
  for (const PaddingEntry& entry : document.profile.worst_padding) {
    if (list.full()) break;
    const TensorType* type = find_type(document, entry.rank, entry.type);
    JsonWriter json = list.next();
    json.object([&] {
      write_rank(json, document, entry.rank);
      write_op(json, document, entry.rank, entry.op);
      write_type(json, type);
      json.list("padded_shape", type == nullptr ? std::vector<std::int64_t>() : padded_shape(*type));
      json.field("waste_bytes", entry.waste_bytes);
      json.field("waste_percent", percent(entry.waste_bytes, type == nullptr ? 0 : type->logical_bytes));
    });
  }
}

/// Rows of the table of arguments; the shape is a text there, and the graphs of const-eval a list.
class ArgumentRecords {
 public:
  explicit ArgumentRecords(const MemDocument& document)
      : document_(document),
        head_(rows({{"index", "argument"},
                    {"graph"},
                    {"ssa", {}, table::WhereNull::kQuestionMark},
                    {"name", {}, table::WhereNull::kEmptyText},
                    {"role"},
                    {"role_from_flow"},
                    {"kv_cache"}})),
        type_(rows({{"dtype", {}, table::WhereNull::kEmptyText}, {"bytes", "logical_bytes"}})),
        weight_(rows({{"same_as"}, {"counted", "counted_weight"}})) {}

  /// The list of those that are weights or of those that are not.
  void write_list(MemDocument& document, std::string_view name, bool weights) {
    RecordList list(document, name);
    const auto& arguments = document.profile.arguments;
    for (std::uint32_t i = 0; i < arguments.size() && !list.full(); ++i) {
      if (arguments[i].is_weight() != weights) continue;
      JsonWriter record = list.next();
      write(record, i);
    }
  }

 private:
  table::JsonRows rows(const std::vector<table::JsonField>& fields) const {
    return document_.rows_of(arguments_spec(), document_.profile.arguments.size(), fields);
  }

  void write(JsonWriter& json, std::uint32_t index) {
    const Argument& argument = document_.profile.arguments[index];
    json.object([&] {
      head_.write_row(json, index);
      json.list("shape", argument.shape);
      type_.write_row(json, index);
      json.list("const_eval_graphs", argument.const_eval_graphs);
      weight_.write_row(json, index);
    });
  }

  const MemDocument& document_;
  table::JsonRows head_;
  table::JsonRows type_;
  table::JsonRows weight_;
};

void write_duplicates(MemDocument& document, const RankProfile& profile, std::uint32_t rank) {
  RecordList list(document, "duplicates");
  TensorRecords tensors(document);
  for (const DuplicatedWeight& pair : profile.duplicated_weights) {
    if (list.full()) break;
    if (pair.weight >= profile.buffers.size() || pair.copy >= profile.buffers.size()) continue;
    JsonWriter json = list.next();
    json.object([&] {
      json.key("weight");
      tensors.write(json, rank, pair.weight);
      json.key("copy");
      tensors.write(json, rank, pair.copy);
    });
  }
}

}  // namespace

void write_live_at_peak(MemDocument& document, std::uint32_t rank) {
  const RankProfile& profile = document.profile.ranks[rank];
  document.json.object("live_at_peak", [&] {
    for (const Memory memory : kTensorMemories)
      write_live_set(document, memory, rank, profile.peaks[index_of(memory)].bytes_per_bank,
                     profile.live_at_peak[index_of(memory)]);
  });
}

void write_live_at(MemDocument& document) {
  const std::optional<LiveMoment>& moment = document.profile.live_at;
  if (!moment) return document.json.field("live_at", nullptr);
  document.json.object("live_at", [&] {
    write_rank(document.json, document, moment->rank);
    write_op(document.json, document, moment->rank, moment->op);
    for (const Memory memory : kTensorMemories)
      write_live_set(document, memory, moment->rank, moment->bytes_per_bank[index_of(memory)],
                     moment->live[index_of(memory)]);
  });
}

void write_padding(MemDocument& document, std::uint32_t rank) {
  const auto& live = document.profile.ranks[rank].live_at_peak;
  const LiveSet& dram = live[index_of(Memory::kDram)];
  const LiveSet& l1 = live[index_of(Memory::kL1)];
  JsonWriter& json = document.json;
  json.object("padding", [&] {
    json.field("waste_bytes_at_peak", dram.padded_bytes - dram.logical_bytes);
    json.field("waste_percent_at_peak", percent(dram.padded_bytes - dram.logical_bytes, dram.logical_bytes));
    json.field("waste_bytes_at_l1_peak", l1.padded_bytes - l1.logical_bytes);
    json.field("lockstep_bytes_per_bank_at_peak", dram.lockstep_bytes_per_bank);
    json.field("lockstep_bytes_per_bank_at_l1_peak", l1.lockstep_bytes_per_bank);
    write_worst_padding(document);
  });
}

void write_weights(MemDocument& document) {
  const std::uint32_t rank = document.profile.main_rank;
  const RankProfile& profile = document.profile.ranks[rank];
  JsonWriter& json = document.json;
  ArgumentRecords arguments(document);
  json.object("weights", [&] {
    json.field("count", document.profile.weight_count);
    json.field("bytes", document.profile.weight_bytes);
    json.field("duplicated_by_const_eval_bytes", profile.duplicated_weight_bytes);
    json.field("duplicated_by_const_eval_bytes_highest", profile.duplicated_weight_bytes_highest);
    write_duplicates(document, profile, rank);
    arguments.write_list(document, "entries", true);
  });
  arguments.write_list(document, "arguments", false);
}

namespace {

/// Start of every record of a rank, up to the op's index.
std::vector<std::string> record_starts(const MemDocument& document) {
  std::vector<std::string> starts;
  for (const RankLog& rank : document.log.ranks) {
    std::string start = "{\"rank\":";
    ui::append_integer(start, rank.number);
    if (document.several_files()) {
      start += ",\"file\":";
      ui::append_integer(start, rank.file);
    }
    start += ",\"op_index\":";
    starts.push_back(std::move(start));
  }
  return starts;
}

/// The first `limit` of growth_of(), without sorting them all.
std::vector<GrowthEntry> largest(const MemoryProfile& profile, std::size_t limit) {
  const auto before = [](const GrowthEntry& a, const GrowthEntry& b) {
    const auto place = [](const GrowthEntry& entry) {
      return std::tuple(entry.rank, entry.op, entry.memory);
    };
    return a.bytes_per_bank != b.bytes_per_bank ? a.bytes_per_bank > b.bytes_per_bank : place(a) < place(b);
  };
  std::vector<GrowthEntry> heap;  // the last of those kept is on top
  const auto offer = [&](const GrowthEntry& entry) {
    if (heap.size() == limit) {
      if (!before(entry, heap.front())) return;
      std::pop_heap(heap.begin(), heap.end(), before);
      heap.pop_back();
    }
    heap.push_back(entry);
    std::push_heap(heap.begin(), heap.end(), before);
  };
  for (std::uint32_t rank = 0; rank < profile.ranks.size(); ++rank) {
    const auto& effects = profile.ranks[rank].effects;
    for (std::uint32_t op = 0; op < effects.size(); ++op) {
      for (std::uint8_t m = 0; m < kTensorMemoryCount; ++m) {
        if (effects[op].own_growth[m] > 0) offer({rank, op, m, effects[op].own_growth[m]});
      }
    }
  }
  std::sort_heap(heap.begin(), heap.end(), before);
  return heap;
}

}  // namespace

/// Half of all ops grow, so this list is most of the document: its records are put together from prepared
/// pieces.
void write_growth(MemDocument& document) {
  const std::vector<std::string> starts = record_starts(document);
  Writer& out = document.out;
  const std::vector<GrowthEntry> entries =
      document.list_limit == 0 ? growth_of(document.profile) : largest(document.profile, document.list_limit);
  RecordList list(document, "growth");
  for (const GrowthEntry& entry : entries) {
    const ExecutedOp& op = document.log.ranks[entry.rank].ops[entry.op];
    const OpEffect& effect = document.profile.ranks[entry.rank].effects[entry.op];
    list.next_line();
    out.write(starts[entry.rank]);
    ui::write_integer(out, entry.op);
    out.write(",\"line\":");
    ui::write_integer(out, op.line);
    out.write(",\"op\":");
    out.write(document.ops.name(op));
    out.write(",\"loc\":");
    out.write(document.ops.loc(op));
    out.write(",\"memory\":\"");
    out.write(name_of(kTensorMemories[entry.memory]));
    out.write("\",\"bytes_per_bank\":");
    ui::write_integer(out, entry.bytes_per_bank);
    out.write(",\"confidence\":\"");
    out.write(name_of(effect.confidence[entry.memory]));
    out.write("\"}");
  }
}

namespace {

void write_per_memory(JsonWriter& json, std::string_view name, const PerTensorMemory& bytes) {
  json.object(name, [&] {
    for (const Memory memory : kTensorMemories) json.field(name_of(memory), bytes[index_of(memory)]);
  });
}

}  // namespace

void write_operations_by_kind(MemDocument& document) {
  RecordList list(document, "operations_by_kind");
  for (const OpKind& kind : op_kinds(document.log, document.profile)) {
    if (list.full()) break;
    const ExecutedOp& first = document.log.ranks[kind.rank].ops[kind.op];
    JsonWriter json = list.next();
    json.object([&] {
      json.raw_field("op", document.ops.name(first));
      json.field("executed", kind.count);
      json.field("counted", is_counted(document.log, first));
      json.field("weight_ops", kind.weight_ops);
      write_per_memory(json, "growth_bytes_per_bank", kind.growth);
    });
  }
}

void write_graphs(MemDocument& document) {
  RecordList list(document, "graphs");
  const auto& graphs = document.profile.graphs;
  table::JsonRows head = document.rows_of(graphs_spec(), graphs.size(),
                                          {{"id", "graph"}, {"name"}, {"instances"}, {"const_eval"}});
  table::JsonRows first = document.rows_of(graphs_spec(), graphs.size(), {{"first_program"}});
  for (const Graph& graph : graphs) {
    if (list.full()) break;
    JsonWriter json = list.next();
    json.object([&] {
      head.write_next(json);
      json.field("module_group", id_or_null(graph.module_group));
      write_rank(json, document, graph.first_rank);
      first.write_next(json);
    });
  }
}

void write_programs(MemDocument& document) {
  RecordList list(document, "programs");
  const RankRows& programs = document.tables->programs;
  table::JsonRows rows = document.rows_of(programs_spec(), programs.total(),
                                          {{"id", "program"},
                                           {"name"},
                                           {"graph"},
                                           {"run"},
                                           {"parent"},
                                           {"start_line"},
                                           {"end_line"},
                                           {"first_op_index", "first_op"},
                                           {"executed_ops"},
                                           {"ops", "counted_ops"},
                                           {"const_eval"},
                                           {"dram_peak_bytes_per_bank"}});
  for (std::size_t row = 0; row < programs.total() && !list.full(); ++row) {
    JsonWriter json = list.next();
    json.object([&] {
      write_rank(json, document, programs.at(row).rank);
      rows.write_next(json);
    });
  }
}

void write_changes(MemDocument& document) {
  RecordList list(document, "changes");
  const RankRows& changes = document.tables->changes;
  table::JsonRows rows = document.rows_of(changes_spec(), changes.total(),
                                          {{"event"},
                                           {"program", "program_name"},
                                           {"program_instance", "program"},
                                           {"before_op_index", "before_op"},
                                           {"before_line"}});
  table::JsonRows bytes =
      document.rows_of(changes_spec(), changes.total(),
                       {{"DRAM", "dram_change_bytes_per_bank"}, {"L1", "l1_change_bytes_per_bank"}});
  for (std::size_t row = 0; row < changes.total() && !list.full(); ++row) {
    JsonWriter json = list.next();
    json.object([&] {
      write_rank(json, document, changes.at(row).rank);
      rows.write_next(json);
      json.object("bytes_per_bank", [&] { bytes.write_next(json); });
    });
  }
}

namespace {

struct Recognized {
  std::uint64_t lines = 0;
  std::uint64_t op_lines = 0;
  std::uint64_t memory_blocks = 0;
  std::uint64_t programs = 0;
  std::uint64_t failures = 0;
};

Recognized count_records(const RuntimeLog& log) {
  Recognized counts;
  for (const std::uint64_t lines : log.file_lines) counts.lines += lines;
  for (const RankLog& rank : log.ranks) {
    const auto from_line = [&](const ExecutedOp& op) { return op.text != kNone && !log.is_from_modules(); };
    counts.op_lines += static_cast<std::uint64_t>(std::count_if(rank.ops.begin(), rank.ops.end(), from_line));
    counts.memory_blocks += rank.blocks.size();
    counts.programs += rank.programs.size();
    counts.failures += rank.failures.size();
  }
  return counts;
}

void write_recognized(MemDocument& document) {
  const RuntimeLog& log = document.log;
  const Recognized counts = count_records(log);
  JsonWriter& json = document.json;
  json.object("recognised", [&] {
    json.field("bytes", log.input_bytes);
    json.field("lines", counts.lines);
    json.field("op_lines", counts.op_lines);
    json.field("memory_blocks", counts.memory_blocks);
    json.field("programs", counts.programs);
    json.field("modules", log.modules.size());
    json.field("ranks", log.ranks.size());
    json.field("distinct_op_texts", log.op_texts.size());
    json.field("distinct_tensor_types", log.types.size());
    json.field("arguments", document.profile.arguments.size());
    json.field("out_of_memory_messages", counts.failures);
  });
}

void write_problem(MemDocument& document, LogProblem problem) {
  const LogProblems& problems = document.log.problems;
  JsonWriter& json = document.json;
  json.object(info_of(problem).key, [&] {
    json.field("count", problems.count(problem));
    json.field("what", info_of(problem).sentence);
    json.objects("first_places", problems.places(problem), [&](const Place& place) {
      write_file(json, document, place.file);
      json.field("line", place.line);
    });
  });
}

void write_problems(MemDocument& document, std::string_view name, bool repaired) {
  document.json.object(name, [&] {
    for (std::size_t i = 0; i < kLogProblemCount; ++i) {
      const LogProblem problem = static_cast<LogProblem>(i);
      if (info_of(problem).repaired != repaired || document.log.problems.count(problem) == 0) continue;
      write_problem(document, problem);
    }
  });
}

/// Where a finding is: the op that made the peak, or that was running.
void write_finding_place(MemDocument& document, const Finding& finding) {
  JsonWriter& json = document.json;
  if (finding.rank >= document.log.ranks.size()) return json.field("place", nullptr);
  json.object("place", [&] {
    write_rank(json, document, finding.rank);
    write_op(json, document, finding.rank, finding.op);
    json.field("message_line", positive_or_null(finding.message_line));
  });
}

/// Rows of the table of findings, with their words and where they are.
void write_findings(MemDocument& document) {
  const std::vector<Finding>& findings = document.profile.findings;
  table::JsonRows severity = document.rows_of(findings_spec(), findings.size(), {{"severity"}});
  table::JsonRows figures =
      document.rows_of(findings_spec(), findings.size(),
                       {{"cause"}, {"memory"}, {"bytes_per_bank"}, {"capacity_bytes_per_bank"}});
  JsonWriter& json = document.json;
  json.objects("findings", findings, [&](const Finding& finding) {
    severity.write_next(json);
    json.field("text", finding_text(finding));
    figures.write_next(json);
    // Rounded, as all percentages of the document; the table has them as they are.
    json.field("percent", finding.fraction ? std::optional<double>(rounded(100 * *finding.fraction, 1000))
                                           : std::optional<double>());
    if (finding.cause == FindingCause::kOutOfMemory) {
      json.field("diagnosis", name_of(finding.bank.cause));
      json.field("free_bytes_per_bank", known_or_null(finding.bank.free_bytes));
      json.field("largest_free_bytes_per_bank", known_or_null(finding.bank.largest_free_bytes));
    }
    write_finding_place(document, finding);
  });
}

void write_outcome(MemDocument& document, const std::string& text) {
  const RunVerdict& verdict = document.profile.verdict;
  const bool crashed = verdict.outcome == Outcome::kCrashed;
  JsonWriter& json = document.json;
  json.object("outcome_detail", [&] {
    json.field("text", text);
    json.field("why", name_of(verdict.outcome_reason));
    json.field("crash", crashed ? std::optional(name_of(verdict.crash)) : std::nullopt);
    json.field("crash_text", crashed ? std::optional(std::string_view(verdict.crash_text)) : std::nullopt);
    json.field("message_line", positive_or_null(verdict.line));
    if (verdict.rank >= document.log.ranks.size()) return json.field("place", nullptr);
    json.object("place", [&] {
      write_rank(json, document, verdict.rank);
      write_op(json, document, verdict.rank, verdict.op);
      // The program of the op itself, which may be a const-eval one inside the program that was left open.
      const auto& ops = document.log.ranks[verdict.rank].ops;
      const std::uint32_t instance = verdict.op < ops.size() ? ops[verdict.op].instance : verdict.program;
      json.field("program", program_name(document, verdict.rank, instance));
    });
  });
}

void write_fit(MemDocument& document, const std::string& text) {
  const RunVerdict& verdict = document.profile.verdict;
  JsonWriter& json = document.json;
  json.object("fit_detail", [&] {
    json.field("text", text);
    json.field("why", name_of(verdict.fit_reason));
    json.objects("headroom", verdict.headroom, [&](const Headroom& room) {
      json.field("memory", name_of(room.memory));
      write_rank(json, document, room.rank);
      json.field("bytes_per_bank", room.bytes_per_bank);
      json.field("percent", percent(room.bytes_per_bank, room.capacity_bytes_per_bank));
    });
  });
}

void write_verdict_trust(MemDocument& document, const std::string& text) {
  const RunVerdict& verdict = document.profile.verdict;
  JsonWriter& json = document.json;
  json.object("trust_detail", [&] {
    json.field("text", text);
    json.field("why", name_of(verdict.trust_reason));
    json.field("memory_lines", verdict.memory_views);
    json.field("skipped_memory_lines", verdict.skipped_memory_views);
    json.field("repaired", verdict.repaired);
    json.field("skipped", verdict.skipped);
  });
}

}  // namespace

void write_trust(MemDocument& document) {
  JsonWriter& json = document.json;
  json.object("trust", [&] {
    write_recognized(document);
    write_problems(document, "skipped", false);
    write_problems(document, "repaired", true);
    json.list("missing", missing_texts(document.profile));
    json.list("notes", note_texts(document.profile));
  });
}

void write_verdict(MemDocument& document) {
  JsonWriter& json = document.json;
  const RunVerdict& verdict = document.profile.verdict;
  json.object("verdict", [&] {
    json.field("outcome", name_of(verdict.outcome));
    json.field("fit", name_of(verdict.fit));
    json.field("trust", name_of(verdict.trust));
    const VerdictText text = verdict_text({document.log, document.profile});
    write_outcome(document, text.outcome);
    write_fit(document, text.fit);
    write_verdict_trust(document, text.trust);
    json.field("severity", name_of(document.profile.severity));
    write_findings(document);
  });
}

}  // namespace ttscope::mem
