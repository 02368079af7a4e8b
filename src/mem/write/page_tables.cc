#include "mem/write/page_tables.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <numeric>

#include "base/json_writer.h"
#include "base/text.h"
#include "mem/analyze/modules.h"
#include "ui/json_text.h"

namespace ttscope::mem {
namespace {

/// `dram interleaved, tile 32x32, grid 8x8`
std::string layout_text(const TensorType& type) {
  if (!type.has_layout) return {};
  std::string text(name_of(type.buffer));
  if (type.layout != MemoryLayout::kNone) {
    if (!text.empty()) text += ' ';
    text += name_of(type.layout);
  }
  text += type.is_tiled() ? fmt::format(", tile {}x{}", type.tile_height, type.tile_width) : ", row-major";
  if (!type.grid.empty()) text += ", grid " + shape_text(type.grid);
  return text;
}

}  // namespace

PageTables::PageTables(const RuntimeLog& log, const MemoryProfile& profile) : log_(log) {
  find_texts();
  find_locations();
  std::size_t types = log.types.size();
  for (const RankProfile& rank : profile.ranks) {
    first_local_.push_back(static_cast<std::uint32_t>(types));
    types += rank.local_types.size();
    for (const TensorType& type : rank.local_types) local_types_.push_back(&type);
  }
}

void PageTables::find_texts() {
  typed_texts_.assign(log_.names.size() + 1, kNone);
  for (const RankLog& rank : log_.ranks) {
    for (const ExecutedOp& op : rank.ops) {
      if (op.text != kNone) continue;
      std::uint32_t& place = typed_texts_[op.op_type + 1];  // kNone + 1 is 0
      if (place != kNone) continue;
      place = static_cast<std::uint32_t>(typed_names_.size());
      typed_names_.push_back(op.op_type);
    }
  }
}

void PageTables::find_locations() {
  is_named_.assign(log_.locs.size(), false);
  display_locs_.reserve(log_.locs.size());
  for (std::uint32_t id = 0; id < log_.locs.size(); ++id) {
    display_locs_.push_back(utf8_repaired(display_loc(log_.locs[id])));
    is_named_[id] = !display_locs_.back().empty();
    has_locations_ = has_locations_ || is_named_[id];
  }
  callee_places_.assign(log_.names.size(), kNone);
  for (const OpText& text : log_.op_texts) {
    if (text.callee == kNone || callee_places_[text.callee] != kNone) continue;
    callee_places_[text.callee] = static_cast<std::uint32_t>(callees_.size());
    callees_.push_back(text.callee);
  }
}

std::uint32_t PageTables::text_of(const ExecutedOp& op) const {
  if (op.text != kNone) return op.text;
  return static_cast<std::uint32_t>(log_.op_texts.size()) + typed_texts_[op.op_type + 1];
}

std::uint32_t PageTables::loc_of(const ExecutedOp& op) const {
  if (op.loc != kNone && is_named_[op.loc]) return op.loc;
  const std::uint32_t callee = op.text == kNone ? kNone : log_.op_texts[op.text].callee;
  return callee == kNone ? op.loc : log_.locs.size() + callee_places_[callee];
}

std::uint32_t PageTables::type_of(std::uint32_t rank, std::uint32_t type) const {
  if (type == kNone || type < kLocalTypeBase) return type;
  return first_local_[rank] + (type - kLocalTypeBase);
}

const TensorType& PageTables::type_at(std::uint32_t id) const {
  return id < log_.types.size() ? log_.types[id] : *local_types_[id - log_.types.size()];
}

std::uint32_t PageTables::first_type(std::uint32_t text, IdRange OpText::*types) const {
  if (text >= log_.op_texts.size()) return kNone;
  const auto ids = log_.ids(log_.op_texts[text].*types);
  return ids.empty() ? kNone : ids.front();
}

void PageTables::add_to(ui::PageBlobs& blobs) const {
  std::vector<std::string> texts;
  for (std::uint32_t id = 0; id < log_.names.size(); ++id) texts.push_back(utf8_repaired(log_.names[id]));
  blobs.add_strings("names", std::move(texts));
  texts = display_locs_;
  for (const std::uint32_t name : callees_)
    texts.push_back(std::string("@").append(utf8_repaired(log_.names[name])));
  blobs.add_strings("locs", std::move(texts));
  texts.clear();
  for (std::uint32_t id = 0; id < log_.locs.size(); ++id) texts.push_back(utf8_repaired(log_.locs[id]));
  texts.resize(texts.size() + callees_.size());
  blobs.add_strings("locraw", std::move(texts));
  blobs.add<std::uint32_t>("text.name", text_count(), ui::ColumnEncoding::kPlain, [this](std::size_t i) {
    const std::size_t known = log_.op_texts.size();
    return i < known ? log_.op_texts[i].name : typed_names_[i - known];
  });
  const auto add_first = [&](std::string id, IdRange OpText::*types) {
    blobs.add<std::uint32_t>(
        std::move(id), text_count(), ui::ColumnEncoding::kPlain,
        [this, types](std::size_t i) { return first_type(static_cast<std::uint32_t>(i), types); });
  };
  add_first("text.first_in", &OpText::input_types);
  add_first("text.first_out", &OpText::result_types);
  add_types(blobs);
}

void PageTables::add_types(ui::PageBlobs& blobs) const {
  const std::size_t count = log_.types.size() + local_types_.size();
  const auto add_size = [&](std::string id, std::int64_t TensorType::*size) {
    blobs.add<std::int64_t>(std::move(id), count, ui::ColumnEncoding::kPlain, [this, size](std::size_t i) {
      return type_at(static_cast<std::uint32_t>(i)).*size;
    });
  };
  add_size("type.logical", &TensorType::logical_bytes);
  add_size("type.padded", &TensorType::padded_bytes);
  const auto add_texts = [&](const std::string& id, const auto& text_of_type) {
    std::vector<std::string> texts;
    for (std::size_t i = 0; i < count; ++i) {
      texts.push_back(utf8_repaired(text_of_type(type_at(static_cast<std::uint32_t>(i)))));
    }
    blobs.add_strings(id, std::move(texts));
  };
  add_texts("shape", [](const TensorType& type) { return shape_text(type.shape); });
  add_texts("padshape", [](const TensorType& type) { return shape_text(padded_shape(type)); });
  add_texts("dtype", [](const TensorType& type) { return type.dtype; });
  add_texts("layout", layout_text);
}

void PageTables::append_text(std::uint32_t text, Writer& out) const {
  static const OpText kNone;
  const OpText& op = text < log_.op_texts.size() ? log_.op_texts[text] : kNone;
  const auto write_names = [&](JsonWriter& json, std::string_view name, IdRange range) {
    json.list(name, log_.ids(range), [&](const std::uint32_t id) { json.value(log_.names[id]); });
  };
  JsonWriter json(out, ui::kBlobStyle);
  json.object([&] {
    json.field("text", op.text);
    json.field("attributes", op.attributes.length == 0
                                 ? std::optional<std::string_view>()
                                 : std::optional<std::string_view>(log_.part(op, op.attributes)));
    write_names(json, "results", op.results);
    write_names(json, "operands", op.operands);
    json.list("in", log_.ids(op.input_types));
    json.list("out", log_.ids(op.result_types));
  });
}

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
  ui::TextCatcher text;
  JsonWriter json(text, ui::kBlobStyle);
  json.object([&] {
    for (const LocIndex::Entry& entry : index_locations(module.lines).entries)
      json.field(entry.name, entry.line);
  });
  return std::string(text.text());
}

}  // namespace

PageTexts::PageTexts(const RuntimeLog& log, const MemoryProfile& profile, const PageTables& tables,
                     const Limits& limits)
    : log_(log), profile_(profile), tables_(tables) {
  choose_texts(limits.op_text_bytes);
  choose_modules(limits.module_bytes);
}

/// Whole chunks, so that the page finds the end without looking.
void PageTexts::choose_texts(std::size_t limit_bytes) {
  std::size_t used_bytes = 0;
  for (std::uint32_t id = 0; id < log_.op_texts.size(); ++id) {
    used_bytes += log_.op_texts[id].text.size() + log_.op_texts[id].attributes.length;
    if (used_bytes <= limit_bytes) continue;
    kept_texts_ = id / kTextsPerChunk * kTextsPerChunk;
    return;
  }
  kept_texts_ = tables_.text_count();
}

void PageTexts::choose_modules(std::size_t limit_bytes) {
  const auto& modules = log_.modules;
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
  ui::TextCatcher text;
  for (std::uint32_t id = first; id < end; ++id) {
    text.write(id == first ? '[' : ',');
    tables_.append_text(id, text);
  }
  text.write(']');
  return std::string(text.text());
}

std::string PageTexts::arguments() const {
  ui::TextCatcher text;
  JsonWriter json(text, ui::kBlobStyle);
  json.array([&] {
    for (const Argument& argument : profile_.arguments)
      json.object([&] {
        json.field("graph", id_or_null(argument.graph));
        json.field("ssa", argument.ssa == kNone ? std::string_view("?") : log_.names[argument.ssa]);
        json.field("name", argument.name);
        json.field("role", name_of(argument.role));
        json.field("kv_cache", argument.kv_cache);
        json.field("shape", shape_text(argument.shape));
        json.field("dtype", argument.dtype);
        json.field("bytes", argument.logical_bytes);
        json.field("is_weight", argument.is_weight());
        json.field("counted", argument.counted_weight);
        json.list("const_eval_graphs", argument.const_eval_graphs);
      });
  });
  return std::string(text.text());
}

void PageTexts::add_to(ui::PageBlobs& blobs) const {
  blobs.add("args", [this] { return arguments(); });
  for (std::uint32_t first = 0; first < kept_texts_; first += kTextsPerChunk) {
    blobs.add(std::string("text.chunk.").append(std::to_string(first / kTextsPerChunk)),
              [this, first] { return text_chunk(first); });
  }
  for (std::size_t i = 0; i < log_.modules.size(); ++i) {
    if (!keeps_module_[i]) continue;
    const ModuleDump& module = log_.modules[i];
    const std::string id = std::string("module.").append(std::to_string(i));
    blobs.add(id, [&module] { return text_of(module); });
    blobs.add(id + ".locs", [&module] { return locations_of(module); });
  }
}

}  // namespace ttscope::mem
