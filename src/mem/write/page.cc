#include "mem/write/page.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/json_writer.h"
#include "base/resources.h"
#include "base/text.h"
#include "fit/outputs.h"
#include "mem/analyze/growth.h"
#include "mem/analyze/memory_profile.h"
#include "mem/tables/tables.h"
#include "mem/write/json.h"
#include "mem/write/page_tables.h"
#include "ui/json_text.h"
#include "ui/page.h"
#include "ui/text.h"

namespace ttscope::mem {
namespace {

/// The curve of a rank: states in the order of their moments.
struct RankPoints {
  bool measured = false;
  std::vector<Moment> moments;
  std::vector<std::uint32_t> blocks;     ///< measured: block that shows the state
  std::vector<PerTensorMemory> modeled;  ///< otherwise: modeled bytes per bank
  std::size_t size() const { return moments.size(); }
};

RankPoints find_points(const RankLog& log, const RankProfile& profile);

/// Everything of one rank; `index` is its place in the trace. All references are kept until the blobs are
/// encoded.
struct RankView {
  std::uint32_t index = 0;
  const RankLog& log;
  const RankProfile& profile;
  const RankPoints& points;
  const PageTables& tables;
  std::shared_ptr<const TableSource> source;

  std::string id(std::string_view column) const {
    return std::string("r").append(std::to_string(index)).append(".").append(column);
  }
};

/// The coarse picture, for the head of the page.
void add_overview(ui::PageBlobs& blobs, const RankView& rank);
void add_points(ui::PageBlobs& blobs, const RankView& rank);

using ui::BlobFormat;
using ui::ColumnEncoding;
using ui::ColumnType;

constexpr BlobFormat kIndex{ColumnType::kU32, ColumnEncoding::kPlain, kNone};
constexpr BlobFormat kNearIndex{ColumnType::kU32, ColumnEncoding::kDelta, kNone};
constexpr BlobFormat kNumber{ColumnType::kU32, ColumnEncoding::kPlain, 0};
constexpr BlobFormat kNearNumber{ColumnType::kU32, ColumnEncoding::kDelta, 0};
constexpr BlobFormat kBytes{ColumnType::kI64, ColumnEncoding::kPlain, 0};

/// The rows of a rank in one of the declared tables.
ui::BlobRows rows_of(const RankView& rank, const table::TableOf<TableSource>& spec,
                     RankRows TableSource::*rows) {
  const RankRows& all = (*rank.source).*rows;
  return {table::make_table(spec, rank.source, all.total()), all.first_of(rank.index),
          all.count_of(rank.index)};
}

/// Names of the values of an enum, in its order.
template <typename Enum>
std::vector<std::string_view> names_of(std::size_t count) {
  std::vector<std::string_view> names;
  for (std::size_t i = 0; i < count; ++i) names.push_back(name_of(static_cast<Enum>(i)));
  return names;
}

ui::BlobColumn coded(std::string_view id, std::string_view column, std::vector<std::string_view> codes) {
  return {id, column, {ColumnType::kU8}, std::move(codes)};
}

void add_columns(ui::PageBlobs& blobs, const RankView& rank, const ui::BlobRows& rows,
                 const std::vector<ui::BlobColumn>& columns) {
  ui::add_columns(blobs, rows, rank.id({}), columns);
}

void add_totals(ui::PageBlobs& blobs, const RankView& rank) {
  const auto& totals = rank.profile.live_totals;
  if (totals.empty()) return;
  for (const Memory memory : kTensorMemories) {
    const auto add = [&](std::string_view what, auto field) {
      blobs.add<std::int64_t>(rank.id(what) + std::string(name_of(memory)), totals.size(),
                              ColumnEncoding::kDelta, [&totals, field, m = index_of(memory)](std::size_t i) {
                                return static_cast<std::int64_t>(totals[i][m].*field);
                              });
    };
    add("tot.logical.", &LiveTotals::logical_bytes);
    add("tot.padded.", &LiveTotals::padded_bytes);
    add("tot.tensors.", &LiveTotals::tensors);
  }
}

void add_changes(ui::PageBlobs& blobs, const RankView& rank) {
  const ui::BlobRows rows = rows_of(rank, changes_spec(), &TableSource::changes);
  constexpr std::size_t kCauses = 3;
  add_columns(blobs, rank, rows,
              {coded("chg.cause", "event", names_of<BoundaryChange::Cause>(kCauses)),
               {"chg.op", "before_op", kNearNumber},
               {"chg.program", "program", kIndex},
               {"chg.DRAM", "dram_change_bytes_per_bank", kBytes},
               {"chg.L1", "l1_change_bytes_per_bank", kBytes}});
}

/// A column of an id of many records that no table has: tables have the texts.
template <typename Records, typename Field>
void add_ids(ui::PageBlobs& blobs, std::string id, const Records& records, Field field) {
  blobs.add<std::uint32_t>(std::move(id), records.size(), ColumnEncoding::kPlain,
                           [&records, field](std::size_t i) { return records[i].*field; });
}

void add_duplicates(ui::PageBlobs& blobs, const RankView& rank) {
  const auto& pairs = rank.profile.duplicated_weights;
  add_ids(blobs, rank.id("dup.weight"), pairs, &DuplicatedWeight::weight);
  add_ids(blobs, rank.id("dup.copy"), pairs, &DuplicatedWeight::copy);
}

void add_ops(ui::PageBlobs& blobs, const RankView& rank) {
  const auto& ops = rank.log.ops;
  const PageTables& tables = rank.tables;
  blobs.add<std::uint32_t>(rank.id("op.text"), ops.size(), ColumnEncoding::kPlain,
                           [&ops, &tables](std::size_t i) { return tables.text_of(ops[i]); });
  blobs.add<std::uint32_t>(rank.id("op.loc"), ops.size(), ColumnEncoding::kPlain,
                           [&ops, &tables](std::size_t i) { return tables.loc_of(ops[i]); });
  const ui::BlobRows rows = rows_of(rank, ops_spec(false), &TableSource::ops);
  add_columns(blobs, rank, rows, {{"op.program", "program", kIndex}, {"op.line", "line", kNearNumber}});
  ui::add_flags(blobs, rank.id("op.flags"), rows,
                {"counted", "weight_op", "retained", "cache_hit", "cache_miss"});
  constexpr std::size_t kConfidences = 4;
  add_columns(blobs, rank, rows,
              {{"op.grow.DRAM", "dram_growth_bytes_per_bank", kBytes},
               coded("op.conf.DRAM", "dram_growth_confidence", names_of<Confidence>(kConfidences)),
               {"op.grow.L1", "l1_growth_bytes_per_bank", kBytes},
               coded("op.conf.L1", "l1_growth_confidence", names_of<Confidence>(kConfidences))});
}

/// Buffers, or the live totals where there are none.
void add_buffers(ui::PageBlobs& blobs, const RankView& rank) {
  const auto& buffers = rank.profile.buffers;
  if (buffers.empty()) return add_totals(blobs, rank);
  const ui::BlobRows rows = rows_of(rank, buffers_spec(), &TableSource::buffers);
  blobs.add<std::uint32_t>(
      rank.id("buf.type"), buffers.size(), ColumnEncoding::kPlain,
      [rank](std::size_t i) { return rank.tables.type_of(rank.index, rank.profile.buffers[i].type); });
  add_ids(blobs, rank.id("buf.name"), buffers, &Buffer::name);
  add_columns(blobs, rank, rows,
              {{"buf.program", "program", kIndex},
               {"buf.arg", "argument", kIndex},
               {"buf.op", "producer_op", kNearIndex},
               {"buf.born", "born_moment", kNearNumber},
               {"buf.died", "died_moment", kNearIndex},
               {"buf.bytes", "bytes_per_bank", kBytes},
               coded("buf.memory", "memory", names_of<Memory>(kTensorMemoryCount)),
               coded("buf.kind", "kind", names_of<TensorKind>(kTensorKindCount))});
  add_duplicates(blobs, rank);
}

void add_programs(ui::PageBlobs& blobs, const RankView& rank) {
  const ui::BlobRows rows = rows_of(rank, programs_spec(), &TableSource::programs);
  add_ids(blobs, rank.id("prog.name"), rank.log.programs, &ProgramInstance::name);
  add_columns(blobs, rank, rows,
              {{"prog.graph", "graph", kIndex},
               {"prog.run", "run", kNumber},
               {"prog.parent", "parent", kIndex},
               {"prog.caller", "caller_op", kIndex},
               {"prog.first", "first_op", kNumber},
               {"prog.end", "end_op", kNumber},
               {"prog.line", "start_line", kNumber},
               {"prog.end_line", "end_line", kNumber}});
  ui::add_flags(blobs, rank.id("prog.flags"), rows, {"const_eval"});
  add_columns(blobs, rank, rows, {{"prog.peak", "dram_peak_bytes_per_bank", kBytes}});
  add_changes(blobs, rank);
}

/// What the page header is written from.
struct PageContent {
  const RuntimeLog& log;
  const MemoryProfile& profile;
  const MemPageOptions& options;
  const std::vector<RankPoints>& points;
  const PageTables& tables;
  const PageTexts& texts;
  std::vector<const ui::PageBlobs*> blobs;
};

/// Sections that stay empty and why, those of the options included.
std::map<std::string, std::string> absent_sections(const PageContent& content);

/// Ranks of several files are told apart by the file.
std::string label_of(const RuntimeLog& log, const RankLog& rank) {
  std::string label = std::string("rank ").append(std::to_string(rank.number));
  if (log.files.size() < 2 || rank.file >= log.files.size()) return label;
  return label + " of " + std::filesystem::path(log.files[rank.file]).filename().string();
}

void write_peaks(JsonWriter& json, const RankLog& rank, const RankProfile& profile) {
  json.object("peaks", [&] {
    for (const Memory memory : kMemories) {
      const Peak& peak = profile.peaks[index_of(memory)];
      if (!has_peak(rank, peak)) continue;
      const bool used = peak.bytes_per_bank > 0;
      json.object(name_of(memory), [&] {
        json.field("bytes_per_bank", peak.bytes_per_bank);
        json.field("op", used ? id_or_null(peak.op) : std::nullopt);
        json.field("moment", peak.moment);
        json.field("at_program_start", peak.at_program_start);
        json.field("confidence", name_of(peak.confidence));
      });
    }
  });
}

template <typename T>
void write_per_memory(JsonWriter& json, std::string_view name, const std::array<T, kMemoryCount>& figures) {
  json.object(name, [&] {
    for (const Memory memory : kMemories) json.field(name_of(memory), figures[index_of(memory)]);
  });
}

void write_ranks(JsonWriter& json, const PageContent& content) {
  json.array("ranks", [&] {
    for (std::size_t i = 0; i < content.log.ranks.size(); ++i) {
      const RankLog& rank = content.log.ranks[i];
      const RankProfile& profile = content.profile.ranks[i];
      json.object([&] {
        json.field("number", rank.number);
        json.field("label", label_of(content.log, rank));
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
      });
    }
  });
}

void write_modules(JsonWriter& json, const PageContent& content) {
  json.array("modules", [&] {
    for (std::size_t i = 0; i < content.log.modules.size(); ++i) {
      const ModuleDump& module = content.log.modules[i];
      json.object([&] {
        json.field("stage", name_of(module.stage));
        json.field("rank", id_or_null(module.rank));
        json.field("file", module.file);
        json.field("line", module.line);
        json.field("complete", module.complete);
        json.field("lines", module.lines.size());
        json.field("kept", content.texts.keeps_module(i));
      });
    }
  });
}

/// Const-eval functions stand in the modules of the graph that calls them.
std::uint32_t module_group(const PageContent& content, const Graph& graph) {
  if (graph.module_group != kNone || graph.first_rank >= content.log.ranks.size()) return graph.module_group;
  const auto& programs = content.log.ranks[graph.first_rank].programs;
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
  json.objects("graphs", content.profile.graphs, [&](const Graph& graph) {
    json.field("name", graph.name == kNone ? std::string_view("?") : content.log.names[graph.name]);
    json.field("runs", graph.instances);
    json.field("const_eval", graph.const_eval);
    json.array("modules", [&] {
      const std::uint32_t group = module_group(content, graph);
      if (group < content.profile.module_groups.size()) {
        for (const std::uint32_t module : content.profile.module_groups[group].by_stage) {
          if (module < content.log.modules.size()) json.value(module);
        }
      }
    });
  });
}

/// The block `ttscope-page`.
std::string page_header(const PageContent& content) {
  ui::TextCatcher text;
  JsonWriter json(text);
  json.object([&] {
    json.field("format", "ttscope.page/1");
    json.field("name", content.options.name);
    json.field("generated", text_or_null(content.options.generated));
    json.field("tool_version", text_or_null(content.options.tool_version));
    json.field("main_rank", content.profile.main_rank);
    json.field("outcome", name_of(content.profile.verdict.outcome));
    json.field("fit", name_of(content.profile.verdict.fit));
    write_ranks(json, content);
    ui::write_columns(json, content.blobs);
    json.object("texts", [&] {
      json.field("count", content.tables.text_count());
      json.field("per_chunk", PageTexts::kTextsPerChunk);
      json.field("kept", content.texts.kept_texts());
    });
    write_modules(json, content);
    write_graphs(json, content);
    json.object("absent", [&] {
      for (const auto& [section, reason] : absent_sections(content)) json.field(section, reason);
    });
  });
  return std::string(text.text());
}

constexpr std::string_view kDataPlaceholder = "<!--ttscope:data-->";
constexpr std::size_t kListLimit = 200;

class PageWriter {
 public:
  PageWriter(const RuntimeLog& log, const MemoryProfile& profile, const MemPageOptions& options)
      : log_(log),
        profile_(profile),
        options_(options),
        source_(std::make_shared<const TableSource>(log, profile)),
        tables_(log, profile),
        texts_(log, profile, tables_, options.limits) {
    for (std::size_t i = 0; i < log.ranks.size(); ++i) {
      points_.push_back(find_points(log.ranks[i], profile.ranks[i]));
    }
    for (std::uint32_t i = 0; i < log.ranks.size(); ++i) add_rank(i);
    tables_.add_to(data_);
    texts_.add_to(data_);
    if (options.fit != nullptr) data_.add("fit.document", [this] { return fit_document(); });
  }

  void write(Writer& out) {
    encode();
    std::string_view rest = page_template();
    rest = ui::write_page_until(out, rest, ui::kTitlePlaceholder, rest.find(ui::kTitlePlaceholder));
    out.write(markup_text(options_.name));
    rest = ui::write_page_until(out, rest, ui::kHeadPlaceholder, rest.find(ui::kHeadPlaceholder));
    const PageContent content{log_, profile_, options_, points_, tables_, texts_, {&head_, &data_}};
    ui::write_page_block(out, "application/json", "ttscope-page", page_header(content));
    ui::write_page_block(out, "application/json", "ttscope-mem", document_);
    write_blobs(out, head_, 0);
    rest = ui::write_page_until(out, rest, kDataPlaceholder, rest.rfind(kDataPlaceholder));
    write_blobs(out, data_, head_.list().size());
    out.write(rest);
  }

 private:
  void add_rank(std::uint32_t index) {
    const RankView rank{index, log_.ranks[index], profile_.ranks[index], points_[index], tables_, source_};
    add_overview(head_, rank);
    add_points(data_, rank);
    add_ops(data_, rank);
    add_buffers(data_, rank);
    add_programs(data_, rank);
  }

  const ui::PageBlob& blob(std::size_t i) const {
    const std::size_t in_head = head_.list().size();
    return i < in_head ? head_.list()[i] : data_.list()[i - in_head];
  }

  /// The document is made beside the blobs: it takes longer than any of them.
  void encode() {
    const std::size_t count = head_.list().size() + data_.list().size();
    encoded_.resize(count);
    run_parallel(count + 1, options_.threads, [&](std::size_t job) {
      if (job == 0) {
        make_document();
      } else {
        encoded_[job - 1] = ui::encode_blob(blob(job - 1));
      }
    });
  }

  void make_document() {
    ui::TextCatcher text;
    write_mem_json(log_, profile_, text, {.tool_version = options_.tool_version, .list_limit = kListLimit});
    document_ = text.text();
  }

  std::string fit_document() const {
    ui::TextCatcher text;
    fit::write_fit_json(*options_.fit, text, options_.tool_version);
    return std::string(text.text());
  }

  void write_blobs(Writer& out, const ui::PageBlobs& blobs, std::size_t first) {
    for (std::size_t i = 0; i < blobs.list().size(); ++i) {
      ui::write_page_block(out, "application/octet-stream", blobs.list()[i].id, encoded_[first + i]);
      encoded_[first + i] = {};
    }
  }

  const RuntimeLog& log_;
  const MemoryProfile& profile_;
  const MemPageOptions& options_;
  std::shared_ptr<const TableSource> source_;
  PageTables tables_;
  PageTexts texts_;
  std::vector<RankPoints> points_;
  ui::PageBlobs head_;
  ui::PageBlobs data_;
  std::vector<std::string> encoded_;  ///< of the head, then of the data
  std::string document_;
};

}  // namespace

void write_mem_page(const RuntimeLog& log, const MemoryProfile& profile, Writer& out,
                    const MemPageOptions& options) {
  PageWriter(log, profile, options).write(out);
}

void write_mem_page(const Profile& profile, Writer& out, MemPageOptions options) {
  if (profile.recorded) options.absent.merge(recorded_absence(*profile.recorded));
  write_mem_page(profile.log, profile.memory, out, options);
}

namespace {

constexpr std::string_view kOpLines =
    "run the model with a runtime built with -DTT_RUNTIME_DEBUG=ON and TTMLIR_RUNTIME_LOGGER_LEVEL=DEBUG";
constexpr std::string_view kMemoryLines = "TT_RUNTIME_MEMORY_LOG_LEVEL=operation prints them";
constexpr std::string_view kModules = "TTXLA_LOGGER_LEVEL=DEBUG prints them";

template <typename Ranks, typename Holds>
bool any(const Ranks& ranks, Holds holds) {
  return std::any_of(ranks.begin(), ranks.end(), holds);
}

std::string left_out(const PageContent& content) {
  std::string what;
  const std::uint64_t texts = content.tables.text_count() - content.texts.kept_texts();
  if (texts > 0) what = ui::counted(texts, "op text");
  const std::uint64_t modules = content.texts.modules_left_out();
  if (modules > 0) what += (what.empty() ? "" : " and ") + ui::counted(modules, "module");
  if (what.empty()) return {};
  return fmt::format("{} left out to keep the page small; ttscope mem LOG --out DIR writes them all.", what);
}

std::map<std::string, std::string> absent_sections(const PageContent& content) {
  std::map<std::string, std::string> absent = content.options.absent;
  const auto& ranks = content.profile.ranks;
  const auto say = [&](std::string key, bool is_absent, std::string text) {
    if (is_absent) absent.emplace(std::move(key), std::move(text));
  };
  const bool has_ops = any(ranks, [](const RankProfile& rank) { return rank.has_op_lines; });
  const bool has_buffers = any(ranks, [](const RankProfile& rank) { return !rank.buffers.empty(); });
  const bool has_totals = any(ranks, [](const RankProfile& rank) { return !rank.live_totals.empty(); });
  const bool measured = any(ranks, [](const RankProfile& rank) { return rank.measured; });
  const bool has_points = any(content.points, [](const RankPoints& points) { return points.size() > 0; });
  const bool has_programs =
      any(content.log.ranks, [](const RankLog& rank) { return !rank.programs.empty(); });
  const std::string op_lines = fmt::format("The log has no op lines; {}.", kOpLines);
  const bool only_messages =
      !content.profile.missing.empty() && content.profile.missing.front().part == MissingPart::kWholeLog;
  if (only_messages) {
    say("run", true, "The text holds messages of failures alone.");
    for (const char* key :
         {"curve", "fragmentation", "composition", "padding", "weights", "ir", "layers", "programs"})
      say(key, true, "The text holds messages of failures alone; the log around them tells this.");
    return absent;
  }
  const std::string no_tensors = has_ops ? std::string("No op line names a tensor on the device.") : op_lines;
  say("curve", !has_points,
      fmt::format("The log has neither memory lines nor op lines that name tensors; {}, and {}.", kOpLines,
                  kMemoryLines));
  say("fragmentation", !measured, fmt::format("The log has no memory lines; {}.", kMemoryLines));
  say("composition", !has_buffers, no_tensors);
  say("padding", !has_buffers && !has_totals, no_tensors);
  say("weights", content.profile.weight_count == 0,
      fmt::format("No argument is known to be a weight: the log has no module dumps that say so; {}.",
                  kModules));
  say("ir", content.log.modules.empty(), fmt::format("The log has no module dumps; {}.", kModules));
  say("layers", !has_buffers && !has_ops, no_tensors);
  say("layers", has_buffers && !content.tables.has_locations(),
      "No op of the log has a location with a name.");
  say("programs", !has_programs,
      fmt::format("The log has no lines that start or end a program; {}.", kOpLines));
  const std::string texts = left_out(content);
  say("texts", !texts.empty(), texts);
  return absent;
}

constexpr std::string_view kFromLog = "; the log has it: ttscope mem LOG --html PAGE";

std::string from_log(std::string_view what) { return std::string(what).append(kFromLog).append("."); }

/// The name of a missing file of the run.
std::string absent_file(const RecordedFiles& files, std::string_view suffix) {
  const auto found = std::find_if(files.absent_files.begin(), files.absent_files.end(),
                                  [&](const std::string& file) { return file.ends_with(suffix); });
  return found == files.absent_files.end() ? std::string(suffix) : *found;
}

}  // namespace

std::map<std::string, std::string> recorded_absence(const RecordedFiles& files) {
  std::map<std::string, std::string> absent;
  absent["composition"] = from_log(
      "The files of a run do not record deallocations, so which tensors are live at a moment is not known");
  if (!files.has_operations) {
    absent["texts"] =
        absent_file(files, "_operations.json")
            .append(" is not in the folder; it holds the texts, shapes and attributes of the ops.");
  }
  if (!files.has_totals) {
    absent["padding"] =
        from_log("The files record no tensors on the device (unpadded_memory is absent or zero)");
  }
  if (!files.has_registry) {
    absent["weights"] = absent_file(files, "_inputs_registry.json")
                            .append(" is not in the folder; it names the weights of the model.");
  } else if (!files.has_arguments) {
    absent["weights"] =
        "The registry of inputs is empty: the log had no module dumps; TTXLA_LOGGER_LEVEL=DEBUG prints them.";
  }
  if (!files.has_modules_file) {
    absent["ir"] = absent_file(files, "_ir.json").append(" is not in the folder; it holds the modules.");
  } else if (!files.has_modules) {
    absent["ir"] =
        "NAME_ir.json holds no module: the log had no module dumps; TTXLA_LOGGER_LEVEL=DEBUG prints them.";
  }
  if (!files.has_lines)
    absent["lines"] = from_log("These files do not say which line of the log an op is from");
  if (!files.has_programs) {
    absent["programs"] =
        from_log("These files do not say where programs start and end, const-eval functions excepted");
  }
  if (files.modeled_memory) {
    absent["fragmentation"] =
        "The log of this run had no memory lines; TT_RUNTIME_MEMORY_LOG_LEVEL=operation prints them.";
  }
  return absent;
}

namespace {

constexpr std::size_t kOverviewParts = 2048;

RankPoints measured_points(const RankLog& log) {
  RankPoints points;
  points.measured = true;
  const std::vector<MeasurePoint> found = measure_points(log);
  points.moments.reserve(found.size());
  points.blocks.reserve(found.size());
  for (const MeasurePoint& point : found) {
    points.moments.push_back(point.moment);
    points.blocks.push_back(point.block);
  }
  return points;
}

/// States that differ from the one before.
RankPoints modeled_points(const RankLog& log, const RankProfile& profile) {
  RankPoints points;
  const auto add = [&](Moment moment, const PerTensorMemory& state) {
    if (!points.modeled.empty() && points.modeled.back() == state) return;
    points.moments.push_back(moment);
    points.modeled.push_back(state);
  };
  const std::size_t count = std::min({log.ops.size(), profile.accounted.size(), profile.effects.size()});
  for (std::uint32_t i = 0; i < count; ++i) {
    PerTensorMemory state = profile.accounted[i];
    add(before_op(i), state);
    for (std::size_t m = 0; m < kTensorMemoryCount; ++m) {
      state[m] = saturating_add(state[m], profile.effects[i].own_growth[m]);
    }
    add(after_op(i), state);
  }
  return points;
}

/// Lowest and highest value in each part of the moments; a value holds until the next point.
template <typename T>
struct Overview {
  std::vector<T> lowest;
  std::vector<T> highest;
};

template <typename T, typename At>
Overview<T> overview_of(const RankView& rank, At at) {
  const std::size_t moments = 2 * rank.log.ops.size();
  const std::size_t parts = std::min(kOverviewParts, std::max<std::size_t>(moments, 1));
  Overview<T> overview;
  T value = 0;
  std::size_t next = 0;
  for (std::size_t part = 0; part < parts; ++part) {
    const std::size_t begin = moments * part / parts;
    const std::size_t end = part + 1 == parts ? moments + 1 : moments * (part + 1) / parts;
    const bool starts_new = next < rank.points.size() && rank.points.moments[next] <= begin;
    T low = value;
    T high = value;
    bool first = starts_new;
    for (; next < rank.points.size() && rank.points.moments[next] < end; ++next) {
      value = at(next);
      low = first ? value : std::min(low, value);
      high = first ? value : std::max(high, value);
      first = false;
    }
    overview.lowest.push_back(low);
    overview.highest.push_back(high);
  }
  return overview;
}

template <typename T>
void add_values(ui::PageBlobs& blobs, std::string id, std::vector<T> values) {
  const auto shared = std::make_shared<const std::vector<T>>(std::move(values));
  blobs.add<T>(std::move(id), shared->size(), ui::ColumnEncoding::kDelta,
               [shared](std::size_t i) { return (*shared)[i]; });
}

template <typename T, typename At>
void add_memory_overview(ui::PageBlobs& blobs, const RankView& rank, Memory memory, At at) {
  Overview<T> overview = overview_of<T>(rank, at);
  const std::string id = rank.id("ov.") + std::string(name_of(memory));
  add_values(blobs, id + ".min", std::move(overview.lowest));
  add_values(blobs, id + ".max", std::move(overview.highest));
}

using BlockFigures = std::array<MilliMib, kMemoryCount> MemoryBlock::*;

RankPoints find_points(const RankLog& log, const RankProfile& profile) {
  return log.blocks.empty() ? modeled_points(log, profile) : measured_points(log);
}

void add_overview(ui::PageBlobs& blobs, const RankView& rank) {
  if (rank.points.measured) {
    for (const Memory memory : kMemories) {
      add_memory_overview<std::uint32_t>(blobs, rank, memory, [&](std::size_t i) {
        return rank.log.blocks[rank.points.blocks[i]].allocated[index_of(memory)];
      });
    }
    return;
  }
  for (const Memory memory : kTensorMemories) {
    add_memory_overview<std::int64_t>(
        blobs, rank, memory, [&](std::size_t i) { return rank.points.modeled[i][index_of(memory)]; });
  }
}

void add_points(ui::PageBlobs& blobs, const RankView& rank) {
  const RankPoints& points = rank.points;
  blobs.add<std::uint32_t>(rank.id("pt.moment"), points.size(), ui::ColumnEncoding::kDelta,
                           [&points](std::size_t i) { return points.moments[i]; });
  if (!points.measured) {
    for (const Memory memory : kTensorMemories) {
      blobs.add<std::int64_t>(
          rank.id("pt.") + std::string(name_of(memory)) + ".alloc", points.size(), ui::ColumnEncoding::kDelta,
          [&points, m = index_of(memory)](std::size_t i) { return points.modeled[i][m]; });
    }
    return;
  }
  const auto& blocks = rank.log.blocks;
  blobs.add<std::uint32_t>(rank.id("pt.line"), points.size(), ui::ColumnEncoding::kDelta,
                           [&points, &blocks](std::size_t i) { return blocks[points.blocks[i]].line; });
  for (const Memory memory : kMemories) {
    const auto add = [&](std::string_view what, BlockFigures figures) {
      blobs.add<std::uint32_t>(rank.id("pt.") + std::string(name_of(memory)) + std::string(what),
                               points.size(), ui::ColumnEncoding::kDelta,
                               [&points, &blocks, figures, m = index_of(memory)](std::size_t i) {
                                 return (blocks[points.blocks[i]].*figures)[m];
                               });
    };
    add(".alloc", &MemoryBlock::allocated);
    add(".free", &MemoryBlock::free);
    add(".largest", &MemoryBlock::largest_free);
  }
}

}  // namespace

}  // namespace ttscope::mem
