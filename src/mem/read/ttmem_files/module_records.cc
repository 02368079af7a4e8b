// One of the four files of mem/read/ttmem_files/records.h: NAME_ir.json.
#include "mem/read/ttmem_files/records.h"

namespace ttscope::mem {
namespace {

using simdjson::error_code;
using simdjson::SUCCESS;

void append_lines(std::string_view text, std::vector<std::string_view>& lines) {
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    lines.push_back(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
}

/// A module without a text was not in the log.
error_code read_module(json::value value, Stage stage, RunBuilder& builder, RecordedModules& compilation) {
  ModuleDump module;
  module.stage = stage;
  std::string_view text;
  const error_code broken = for_each_field(value, [&](std::string_view key, json::value inner) {
    if (key == "text") text = text_in(inner).value_or(std::string_view());
    if (key == "line") {
      const auto line = integer_in(inner);
      if (line && *line > 0 && *line < kNone) module.line = static_cast<std::uint32_t>(*line);
    }
    return SUCCESS;
  });
  if (broken != SUCCESS || text.empty()) return broken;
  RuntimeTrace& trace = builder.run().trace;
  append_lines(trace.arena.copy(text), module.lines);
  compilation.modules.push_back(static_cast<std::uint32_t>(trace.modules.size()));
  trace.modules.push_back(std::move(module));
  return SUCCESS;
}

error_code read_part(std::string_view key, json::value value, RunBuilder& builder,
                     RecordedModules& compilation) {
  if (key == "ttir") return read_module(value, Stage::kTtir, builder, compilation);
  if (key == "ttnn") return read_module(value, Stage::kTtnn, builder, compilation);
  if (key != "programs") return SUCCESS;
  return for_each_element(value, [&](json::value element) {
    if (const auto text = text_in(element)) compilation.programs.emplace_back(*text);
    return SUCCESS;
  });
}

void keep(RecordedModules compilation, RunBuilder& builder) {
  if (!compilation.modules.empty()) builder.run().compilations.push_back(std::move(compilation));
}

}  // namespace

Result<void> read_modules(JsonDocument& file, RunBuilder& builder) {
  json::value whole;
  if (const auto error = file.document.get_value().get(whole)) return failure(bad_file(file, error));
  RecordedModules first;
  std::vector<RecordedModules> further;
  bool found = false;
  const error_code broken = for_each_field(whole, [&](std::string_view key, json::value value) {
    found |= key == "ttir" || key == "ttnn";
    if (key != "graphs") return read_part(key, value, builder, first);
    return for_each_element(value, [&](json::value element) {
      RecordedModules& compilation = further.emplace_back();
      return for_each_field(element, [&](std::string_view name, json::value part) {
        return read_part(name, part, builder, compilation);
      });
    });
  });
  if (broken != SUCCESS) return failure(bad_file(file, broken));
  if (!found) return failure(bad_file(file, "has no modules; expected {\"ttir\": ..., \"ttnn\": ...}"));
  keep(std::move(first), builder);
  for (RecordedModules& compilation : further) keep(std::move(compilation), builder);
  return check_end(file);
}

}  // namespace ttscope::mem
