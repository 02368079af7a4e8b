// One of the four files of mem/write/ttmem_files/files.h: NAME_inputs_registry.json.
#include <algorithm>
#include <optional>
#include <string>

#include "mem/write/ttmem_files/files.h"

namespace ttscope::mem {
namespace {

/// An argument that several graphs share counts once.
std::size_t count_inputs(const MemoryProfile& profile) {
  const auto is_input = [](const Argument& argument) {
    return argument.same_as == kNone && argument.role == ArgumentRole::kInput;
  };
  return static_cast<std::size_t>(
      std::count_if(profile.arguments.begin(), profile.arguments.end(), is_input));
}

void write_metadata(JsonWriter& json, const MemoryProfile& profile) {
  json.key("metadata");
  json.begin_object();
  if (!profile.arguments.empty()) {
    json.field("total_entries", profile.arguments.size());
    json.field("total_weights", profile.weight_count);
    json.field("total_inputs", count_inputs(profile));
    json.field("total_weight_bytes", profile.weight_bytes);
    json.field("total_weight_MB", static_cast<double>(profile.weight_bytes) / kBytesPerMib);
  }
  json.end_object();
}

void write_entry(JsonWriter& json, const RuntimeTrace& trace, const Argument& argument) {
  const std::string shape = shape_text(argument.shape);
  json.field("ssa", argument.ssa == kNone ? std::string_view("?") : trace.names[argument.ssa]);
  json.field("name", argument.name);
  json.field("type", name_of(argument.role));
  json.field("shape", shape.empty() ? std::optional<std::string>() : std::optional<std::string>(shape));
  json.field("dtype", argument.dtype);
  json.field("bytes", argument.logical_bytes);
  json.field("bytes_MB", static_cast<double>(argument.logical_bytes) / kBytesPerMib);
}

void write_own_fields(JsonWriter& json, const Argument& argument) {
  const auto id = [](std::uint32_t value) {
    return value == kNone ? std::nullopt : std::optional<std::uint32_t>(value);
  };
  json.field("graph", id(argument.graph));
  json.field("same_as", id(argument.same_as));
  json.field("counted", argument.counted_weight);
  json.field("type_from_flow", argument.role_from_flow);
  json.field("kv_cache", argument.kv_cache);
  json.key("const_eval_graphs");
  json.begin_array();
  for (const std::string& graph : argument.const_eval_graphs) json.value(graph);
  json.end_array();
}

}  // namespace

void write_registry_file(const RuntimeTrace& trace, const MemoryProfile& profile, Writer& out) {
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

}  // namespace ttscope::mem
