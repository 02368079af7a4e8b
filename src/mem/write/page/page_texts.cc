#include "mem/write/page/page_texts.h"

#include <algorithm>
#include <array>
#include <numeric>

#include "base/json_writer.h"
#include "base/utf8.h"
#include "mem/write/words/loc_index.h"
#include "report/json_text.h"

namespace ttscope::mem {
namespace {

/// Modules in the order in which they are worth their room: those that ops are found in come first.
int rank_of(Stage stage) {
  switch (stage) {
    case Stage::kTtnn:
      return 0;
    case Stage::kTtir:
      return 1;
    case Stage::kTtnnRuntime:
      return 2;
    default:
      return 3;
  }
}

std::size_t size_of(const ModuleDump& module) {
  return std::accumulate(module.lines.begin(), module.lines.end(), module.lines.size(),
                         [](std::size_t sum, std::string_view line) { return sum + line.size(); });
}

std::string text_of(const ModuleDump& module) {
  std::string text;
  for (const std::string_view line : module.lines) text.append(line).append("\n");
  return is_valid_utf8(text) ? text : utf8_repaired(text);
}

std::string locations_of(const ModuleDump& module) {
  report::TextCatcher text;
  JsonWriter json(text, report::kBlobStyle);
  json.begin_object();
  for (const LocIndex::Entry& entry : index_locations(module.lines).entries)
    json.field(entry.name, entry.line);
  json.end_object();
  return std::string(text.text());
}

}  // namespace

PageTexts::PageTexts(const RuntimeTrace& trace, const MemoryProfile& profile, const PageTables& tables,
                     const Limits& limits)
    : trace_(trace), profile_(profile), tables_(tables) {
  choose_texts(limits.op_text_bytes);
  choose_modules(limits.module_bytes);
}

/// Whole chunks, so that the page finds the end without looking.
void PageTexts::choose_texts(std::size_t limit_bytes) {
  std::size_t used_bytes = 0;
  for (std::uint32_t id = 0; id < trace_.op_texts.size(); ++id) {
    used_bytes += trace_.op_texts[id].text.size() + trace_.op_texts[id].attributes.length;
    if (used_bytes <= limit_bytes) continue;
    kept_texts_ = id / kTextsPerChunk * kTextsPerChunk;
    return;
  }
  kept_texts_ = tables_.text_count();
}

void PageTexts::choose_modules(std::size_t limit_bytes) {
  const auto& modules = trace_.modules;
  std::vector<std::size_t> order(modules.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
    return rank_of(modules[a].stage) < rank_of(modules[b].stage);
  });
  keeps_module_.assign(modules.size(), false);
  std::size_t used_bytes = 0;
  for (const std::size_t module : order) {
    const std::size_t bytes = size_of(modules[module]);
    if (bytes > limit_bytes - used_bytes) continue;
    used_bytes += bytes;
    keeps_module_[module] = true;
  }
}

std::size_t PageTexts::modules_left_out() const {
  return static_cast<std::size_t>(std::count(keeps_module_.begin(), keeps_module_.end(), false));
}

std::string PageTexts::text_chunk(std::uint32_t first) const {
  const std::uint32_t end = std::min(first + kTextsPerChunk, kept_texts_);
  report::TextCatcher text;
  for (std::uint32_t id = first; id < end; ++id) {
    text.write(id == first ? '[' : ',');
    tables_.append_text(id, text);
  }
  text.write(']');
  return std::string(text.text());
}

std::string PageTexts::arguments() const {
  report::TextCatcher text;
  JsonWriter json(text, report::kBlobStyle);
  json.begin_array();
  for (const Argument& argument : profile_.arguments) {
    json.begin_object();
    json.field("graph", argument.graph == kNone ? std::optional<std::uint32_t>()
                                                : std::optional<std::uint32_t>(argument.graph));
    json.field("ssa", argument.ssa == kNone ? std::string_view("?") : trace_.names[argument.ssa]);
    json.field("name", argument.name);
    json.field("role", name_of(argument.role));
    json.field("kv_cache", argument.kv_cache);
    json.field("shape", shape_text(argument.shape));
    json.field("dtype", argument.dtype);
    json.field("bytes", argument.logical_bytes);
    json.field("is_weight", argument.is_weight());
    json.field("counted", argument.counted_weight);
    json.key("const_eval_graphs");
    json.begin_array();
    for (const std::string& graph : argument.const_eval_graphs) json.value(graph);
    json.end_array();
    json.end_object();
  }
  json.end_array();
  return std::string(text.text());
}

void PageTexts::add_to(report::PageBlobs& blobs) const {
  blobs.add("args", [this] { return arguments(); });
  for (std::uint32_t first = 0; first < kept_texts_; first += kTextsPerChunk) {
    blobs.add(std::string("text.chunk.").append(std::to_string(first / kTextsPerChunk)),
              [this, first] { return text_chunk(first); });
  }
  for (std::size_t i = 0; i < trace_.modules.size(); ++i) {
    if (!keeps_module_[i]) continue;
    const ModuleDump& module = trace_.modules[i];
    const std::string id = std::string("module.").append(std::to_string(i));
    blobs.add(id, [&module] { return text_of(module); });
    blobs.add(id + ".locs", [&module] { return locations_of(module); });
  }
}

}  // namespace ttscope::mem
