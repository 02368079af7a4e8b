#include <optional>
#include <string>

#include "output/ttmem_files/files.h"

namespace ttscope::output {
namespace {

using analysis::Argument;

/// Sums over distinct model tensors: an argument that several graphs share counts once.
struct Totals {
  std::uint64_t weights = 0;
  std::uint64_t inputs = 0;
  std::int64_t weight_bytes = 0;
};

Totals total(const analysis::MemoryProfile& profile) {
  Totals totals;
  for (const Argument& argument : profile.arguments) {
    if (argument.same_as != kNoId) continue;
    if (argument.role == ArgumentRole::kInput) ++totals.inputs;
    if (!argument.is_weight()) continue;
    ++totals.weights;
    totals.weight_bytes = saturating_add(totals.weight_bytes, argument.logical_bytes);
  }
  return totals;
}

void write_metadata(JsonWriter& json, const analysis::MemoryProfile& profile) {
  json.key("metadata");
  json.begin_object();
  if (!profile.arguments.empty()) {
    const Totals totals = total(profile);
    json.field("total_entries", profile.arguments.size());
    json.field("total_weights", totals.weights);
    json.field("total_inputs", totals.inputs);
    json.field("total_weight_bytes", totals.weight_bytes);
    json.field("total_weight_MB", static_cast<double>(totals.weight_bytes) / kBytesPerMib);
  }
  json.end_object();
}

void write_entry(JsonWriter& json, const RuntimeTrace& trace, const Argument& argument) {
  const std::string shape = shape_text(argument.shape);
  json.field("ssa", argument.ssa == kNoId ? std::string_view("?") : trace.names[argument.ssa]);
  json.field("name", argument.name);
  json.field("type", name_of(argument.role));
  json.field("shape", shape.empty() ? std::optional<std::string>() : std::optional<std::string>(shape));
  json.field("dtype", argument.dtype);
  json.field("bytes", argument.logical_bytes);
  json.field("bytes_MB", static_cast<double>(argument.logical_bytes) / kBytesPerMib);
}

void write_own_fields(JsonWriter& json, const Argument& argument) {
  const auto id = [](std::uint32_t value) {
    return value == kNoId ? std::nullopt : std::optional<std::uint32_t>(value);
  };
  json.field("graph", id(argument.graph));
  json.field("same_as", id(argument.same_as));
  json.field("type_from_flow", argument.role_from_flow);
  json.field("kv_cache", argument.kv_cache);
  json.key("const_eval_graphs");
  json.begin_array();
  for (const std::string& graph : argument.const_eval_graphs) json.value(graph);
  json.end_array();
}

}  // namespace

void write_registry_file(const RuntimeTrace& trace, const analysis::MemoryProfile& profile, Writer& out) {
  JsonWriter json(out, kTtmemStyle);
  json.begin_object();
  write_metadata(json, profile);
  json.key("entries");
  json.begin_array();
  for (std::size_t i = 0; i < profile.arguments.size(); ++i) {
    json.begin_object();
    json.field("index", i);
    write_entry(json, trace, profile.arguments[i]);
    write_own_fields(json, profile.arguments[i]);
    json.end_object();
  }
  json.end_array();
  json.end_object();
}

}  // namespace ttscope::output
