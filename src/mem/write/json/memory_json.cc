// Sections of mem/write/json/document.h: device, memories, ranks and fragmentation.
#include <algorithm>

#include "mem/analyse/fragmentation.h"
#include "mem/write/json/document.h"

namespace ttscope::mem {
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

void write_texts(JsonWriter& json, std::string_view name, std::initializer_list<std::string_view> texts) {
  json.key(name);
  json.begin_array();
  for (const std::string_view text : texts) json.value(text);
  json.end_array();
}

void write_coverage(JsonWriter& json, Memory memory, bool measured) {
  if (!measured) {
    write_texts(json, "includes",
                {"tensors that op lines or module dumps place in this memory, page padding and bank rounding "
                 "included"});
    write_texts(
        json, "excludes",
        {"buffers that no op line names", "circular buffers and kernels", "temporary buffers inside an op"});
    return;
  }
  write_texts(json, "includes",
              {"every buffer the allocator held when the memory line was printed: tensors, inputs, weights, "
               "const-eval results",
               "page padding and lockstep rounding to whole banks"});
  if (memory == Memory::kL1 || memory == Memory::kL1Small) {
    write_texts(json, "excludes",
                {"circular buffers and kernels, which share L1 but not its allocator",
                 "temporary buffers inside an op, freed before the next memory line"});
  } else {
    write_texts(json, "excludes", {"temporary buffers inside an op, freed before the next memory line"});
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
  const RankTrace& trace = document.trace.ranks[rank];
  const Peak& peak = profile.peaks[index_of(memory)];
  const bool used = peak.bytes_per_bank > 0;
  JsonWriter& json = document.json;
  json.key("peak");
  json.begin_object();
  write_peak_figures(json, is_told(trace, peak) ? &peak : nullptr, profile.device, memory);
  write_op(json, document, rank, used ? peak.op : kNone);
  const bool has_op = used && peak.op < trace.ops.size();
  json.field("event", !used
                          ? std::optional<std::string_view>()
                          : std::optional<std::string_view>(peak.at_program_start ? "program start" : "op"));
  json.field("program", has_op ? program_name(document, rank, trace.ops[peak.op].instance) : std::nullopt);
  const bool seen = used && peak.block < trace.blocks.size();
  json.field("seen_at_line", seen ? line_or_null(trace.blocks[peak.block].view_line[index_of(memory)])
                                  : line_or_null(peak.message_line));
  json.field("confidence", confidence_of(profile, peak));
  write_coverage(json, memory, profile.measured);
  json.end_object();
}

void write_fragmentation_curve(MemDocument& document, std::uint32_t rank, Memory memory) {
  const auto& blocks = document.trace.ranks[rank].blocks;
  RecordList list(document, "curve");
  for (const std::uint32_t at : fragmentation_curve(blocks, memory, kCurvePoints)) {
    JsonWriter json = list.next();
    json.begin_object();
    json.field("before_op_index", blocks[at].before_op);
    json.field("line", blocks[at].line);
    json.field("fraction", rounded(fragmentation_of(blocks[at], memory), kFractionSteps));
    json.end_object();
  }
}

void write_rank_record(MemDocument& document, std::uint32_t rank) {
  const RankTrace& trace = document.trace.ranks[rank];
  const RankProfile& profile = document.profile.ranks[rank];
  JsonWriter& json = document.json;
  json.begin_object();
  json.field("rank", trace.number);
  json.field("tag", trace.tag);
  json.field("file", trace.file);
  json.field("ops", profile.counted_ops);
  json.field("executed_ops", profile.executed_ops);
  json.field("weight_ops", profile.weight_ops);
  json.field("programs", trace.programs.size());
  json.field("memory_blocks", trace.blocks.size());
  json.field("has_op_lines", profile.has_op_lines);
  json.field("measured", profile.measured);
  json.field("failures", trace.failures.size());
  json.field("duplicated_by_const_eval_bytes", profile.duplicated_weight_bytes);
  write_device(document, rank);
  write_memory(document, rank);
  json.end_object();
}

}  // namespace

void write_device(MemDocument& document, std::uint32_t rank) {
  const DeviceFacts& device = document.profile.ranks[rank].device;
  JsonWriter& json = document.json;
  json.key("device");
  json.begin_object();
  json.field("arch", device.arch.empty() ? std::optional<std::string_view>()
                                         : std::optional<std::string_view>(device.arch));
  json.field("dram_alignment_bytes", device.dram_alignment_bytes);
  json.field("l1_alignment_bytes", device.l1_alignment_bytes);
  json.field("source", name_of_source(device.source));
  json.field("chips", device.chips == 0 ? std::optional<std::uint32_t>() : device.chips);
  json.field("mesh", device.mesh.empty() ? std::optional<std::string_view>() : device.mesh);
  json.end_object();
}

void write_memory(MemDocument& document, std::uint32_t rank) {
  const DeviceFacts& device = document.profile.ranks[rank].device;
  JsonWriter& json = document.json;
  json.key("memory");
  json.begin_object();
  for (const Memory memory : kMemories) {
    json.key(name_of(memory));
    json.begin_object();
    json.field("banks", device.banks[index_of(memory)]);
    json.field("capacity_bytes_per_bank", device.capacity_bytes_per_bank[index_of(memory)]);
    write_peak(document, rank, memory);
    json.end_object();
  }
  json.end_object();
}

void write_ranks(MemDocument& document) {
  document.json.key("ranks");
  document.json.begin_array();
  for (std::uint32_t rank = 0; rank < document.trace.ranks.size(); ++rank) write_rank_record(document, rank);
  document.json.end_array();
}

void write_fragmentation(MemDocument& document, std::uint32_t rank) {
  const RankTrace& trace = document.trace.ranks[rank];
  JsonWriter& json = document.json;
  json.key("fragmentation");
  json.begin_object();
  for (const Memory memory : kTensorMemories) {
    const std::size_t m = index_of(memory);
    const FragmentationMoment& worst = document.profile.ranks[rank].worst_fragmentation[m];
    const bool known = worst.block < trace.blocks.size();
    json.key(name_of(memory));
    json.begin_object();
    json.field("worst_fraction",
               known ? std::optional<double>(rounded(worst.fraction, kFractionSteps)) : std::nullopt);
    json.field("before_op_index", known ? id_or_null(trace.blocks[worst.block].before_op) : std::nullopt);
    json.field("line", known ? line_or_null(trace.blocks[worst.block].view_line[m]) : std::nullopt);
    json.field("free_bytes_per_bank",
               known_or_null(known ? bytes_of(trace.blocks[worst.block].free[m]) : -1));
    json.field("largest_free_bytes_per_bank",
               known_or_null(known ? bytes_of(trace.blocks[worst.block].largest_free[m]) : -1));
    write_fragmentation_curve(document, rank, memory);
    json.end_object();
  }
  json.end_object();
}

}  // namespace ttscope::mem
