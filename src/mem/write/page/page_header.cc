#include "mem/write/page/page_header.h"

#include <filesystem>
#include <optional>

#include "base/json_writer.h"
#include "report/json_text.h"
#include "report/page_columns.h"

namespace ttscope::mem {
namespace {

std::optional<std::uint32_t> id_or_null(std::uint32_t id) {
  return id == kNone ? std::nullopt : std::optional<std::uint32_t>(id);
}

std::optional<std::string_view> text_or_null(std::string_view text) {
  return text.empty() ? std::nullopt : std::optional<std::string_view>(text);
}

/// Ranks of several files are told apart by the file.
std::string label_of(const RuntimeTrace& trace, const RankTrace& rank) {
  std::string label = std::string("rank ").append(std::to_string(rank.number));
  if (trace.files.size() < 2 || rank.file >= trace.files.size()) return label;
  return label + " of " + std::filesystem::path(trace.files[rank.file]).filename().string();
}

void write_peaks(JsonWriter& json, const RankTrace& rank, const RankProfile& profile) {
  json.key("peaks");
  json.begin_object();
  for (const Memory memory : kMemories) {
    const Peak& peak = profile.peaks[index_of(memory)];
    if (!is_told(rank, peak)) continue;
    const bool used = peak.bytes_per_bank > 0;
    json.key(name_of(memory));
    json.begin_object();
    json.field("bytes_per_bank", peak.bytes_per_bank);
    json.field("op", used ? id_or_null(peak.op) : std::nullopt);
    json.field("moment", peak.moment);
    json.field("at_program_start", peak.at_program_start);
    json.field("confidence", name_of(peak.confidence));
    json.end_object();
  }
  json.end_object();
}

template <typename T>
void write_per_memory(JsonWriter& json, std::string_view name, const std::array<T, kMemoryCount>& figures) {
  json.key(name);
  json.begin_object();
  for (const Memory memory : kMemories) json.field(name_of(memory), figures[index_of(memory)]);
  json.end_object();
}

void write_ranks(JsonWriter& json, const PageContent& content) {
  json.key("ranks");
  json.begin_array();
  for (std::size_t i = 0; i < content.trace.ranks.size(); ++i) {
    const RankTrace& rank = content.trace.ranks[i];
    const RankProfile& profile = content.profile.ranks[i];
    json.begin_object();
    json.field("number", rank.number);
    json.field("label", label_of(content.trace, rank));
    json.field("file", rank.file);
    json.field("ops", rank.ops.size());
    json.field("counted_ops", profile.counted_ops);
    json.field("points", content.points[i].size());
    json.field("buffers", profile.buffers.size());
    json.field("programs", rank.programs.size());
    json.field("changes", profile.changes.size());
    json.field("measured", profile.measured);
    json.field("has_op_lines", profile.has_op_lines);
    json.field("memory_unit", content.points[i].measured ? "milli_mib" : "bytes");
    write_per_memory(json, "capacity", profile.device.capacity_bytes_per_bank);
    write_per_memory(json, "banks", profile.device.banks);
    write_peaks(json, rank, profile);
    json.end_object();
  }
  json.end_array();
}

void write_modules(JsonWriter& json, const PageContent& content) {
  json.key("modules");
  json.begin_array();
  for (std::size_t i = 0; i < content.trace.modules.size(); ++i) {
    const ModuleDump& module = content.trace.modules[i];
    json.begin_object();
    json.field("stage", name_of(module.stage));
    json.field("rank", id_or_null(module.rank));
    json.field("file", module.file);
    json.field("line", module.line);
    json.field("complete", module.complete);
    json.field("lines", module.lines.size());
    json.field("kept", content.texts.keeps_module(i));
    json.end_object();
  }
  json.end_array();
}

/// Const-eval functions stand in the modules of the graph that calls them.
std::uint32_t module_group(const PageContent& content, const Graph& graph) {
  if (graph.module_group != kNone || graph.first_rank >= content.trace.ranks.size())
    return graph.module_group;
  const auto& programs = content.trace.ranks[graph.first_rank].programs;
  const auto& summaries = content.profile.ranks[graph.first_rank].programs;
  std::uint32_t instance = graph.first_instance;
  while (instance < summaries.size()) {
    const std::uint32_t caller = summaries[instance].graph;
    const bool known = caller < content.profile.graphs.size();
    if (known && content.profile.graphs[caller].module_group != kNone) {
      return content.profile.graphs[caller].module_group;
    }
    const std::uint32_t parent = programs[instance].parent;
    if (parent >= instance) break;  // none, or no true nesting
    instance = parent;
  }
  return kNone;
}

void write_graphs(JsonWriter& json, const PageContent& content) {
  json.key("graphs");
  json.begin_array();
  for (const Graph& graph : content.profile.graphs) {
    json.begin_object();
    json.field("name", graph.name == kNone ? std::string_view("?") : content.trace.names[graph.name]);
    json.field("runs", graph.instances);
    json.field("const_eval", graph.const_eval);
    json.key("modules");
    json.begin_array();
    const std::uint32_t group = module_group(content, graph);
    if (group < content.profile.module_groups.size()) {
      for (const std::uint32_t module : content.profile.module_groups[group].by_stage) {
        if (module < content.trace.modules.size()) json.value(module);
      }
    }
    json.end_array();
    json.end_object();
  }
  json.end_array();
}

}  // namespace

std::string page_header(const PageContent& content) {
  report::TextCatcher text;
  JsonWriter json(text);
  json.begin_object();
  json.field("format", "ttscope.page/1");
  json.field("name", content.options.name);
  json.field("generated", text_or_null(content.options.generated));
  json.field("tool_version", text_or_null(content.options.tool_version));
  json.field("main_rank", content.profile.main_rank);
  json.field("outcome", name_of(content.profile.verdict.outcome));
  json.field("fit", name_of(content.profile.verdict.fit));
  write_ranks(json, content);
  report::write_columns(json, content.blobs);
  json.key("texts");
  json.begin_object();
  json.field("count", content.tables.text_count());
  json.field("per_chunk", PageTexts::kTextsPerChunk);
  json.field("kept", content.texts.kept_texts());
  json.end_object();
  write_modules(json, content);
  write_graphs(json, content);
  json.key("absent");
  json.begin_object();
  for (const auto& [section, reason] : absent_sections(content)) json.field(section, reason);
  json.end_object();
  json.end_object();
  return std::string(text.text());
}

}  // namespace ttscope::mem
