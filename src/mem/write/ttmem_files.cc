#include "mem/write/ttmem_files.h"

#include <algorithm>
#include <array>
#include <exception>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <system_error>
#include <thread>

#include "base/files.h"
#include "base/result.h"
#include "base/writer.h"
#include "mem/analyze/bank_states.h"
#include "mem/analyze/memory_profile.h"
#include "mem/analyze/modules.h"
#include "mem/analyze/tensor_origins.h"
#include "mem/write/json_document.h"
#include "ui/json_text.h"

namespace ttscope::mem {
namespace {

struct FileForm {
  std::string_view suffix;
  void (*write)(const RuntimeLog&, const MemoryProfile&, Writer&);
};

/// The two large files come first: each has a thread of its own.
constexpr std::array<FileForm, 4> kForms = {{{"_memory.json", write_memory_file},
                                             {"_operations.json", write_operations_file},
                                             {"_inputs_registry.json", write_registry_file},
                                             {"_ir.json", write_ir_file}}};

struct OpenFile {
  std::string path;
  std::unique_ptr<Writer> writer;
  std::exception_ptr failed;
};

Result<CreatedFolders> make_folder(const TtmemFilesOptions& options) {
  const bool is_path =
      options.name.find('/') != std::string::npos || options.name.find('\0') != std::string::npos;
  if (options.name.empty() || is_path)
    return failure(bad_input("report name must be a plain file name prefix"));
  RETURN_IF_ERROR(check_output_path(options.folder));
  return CreatedFolders::make(options.folder);
}

Result<std::vector<OpenFile>> open_files(const TtmemFilesOptions& options) {
  std::vector<OpenFile> files;
  for (const FileForm& form : kForms) {
    std::string path = (std::filesystem::path(options.folder) / options.name).string();
    path += form.suffix;
    ASSIGN_OR_RETURN(std::unique_ptr<Writer> writer, open_writer(path));
    files.push_back({std::move(path), std::move(writer), nullptr});
  }
  return files;
}

/// Lack of memory must reach the caller, also from the other thread.
void fill(OpenFile& file, const FileForm& form, const RuntimeLog& log, const MemoryProfile& profile) {
  try {
    form.write(log, profile, *file.writer);
  } catch (...) {
    file.failed = std::current_exception();
  }
}

}  // namespace

Result<std::vector<std::string>> write_ttmem_files(const RuntimeLog& log, const MemoryProfile& profile,
                                                   const TtmemFilesOptions& options) {
  const Result<CreatedFolders> made = make_folder(options);  // removed again where nothing is written
  if (!made) return failure(made.error());
  ASSIGN_OR_RETURN(std::vector<OpenFile> opened, open_files(options));
  std::vector<OpenFile>& files = opened;
  {
    const auto fill_first = [&] { fill(files[0], kForms[0], log, profile); };
    std::jthread other;
    try {
      other = std::jthread(fill_first);
    } catch (const std::system_error&) {
      fill_first();  // no thread can be started
    }
    for (std::size_t i = 1; i < kForms.size(); ++i) fill(files[i], kForms[i], log, profile);
  }
  for (const OpenFile& file : files) {
    if (file.failed) std::rethrow_exception(file.failed);
  }
  std::vector<std::string> paths;
  for (OpenFile& file : files) {
    RETURN_IF_ERROR(file.writer->finish());
    paths.push_back(file.path);
  }
  return paths;
}

namespace {

void write_numbers_or_null(JsonWriter& json, std::string_view name, bool known,
                           const std::vector<std::int64_t>& numbers) {
  if (!known) return json.field(name, nullptr);
  json.list(name, numbers);
}

/// What JsonWriter puts before the first element of an array.
constexpr std::string_view kArrayStart = "[";

}  // namespace

void write_layout_info(JsonWriter& json, const TensorType& type) {
  const std::int64_t padded = type.has_layout ? type.padded_bytes : type.logical_bytes;
  const double logical = static_cast<double>(type.logical_bytes);
  const bool comparable = type.logical_bytes > 0 && padded > 0;
  json.object([&] {
    json.list("logical_shape", type.shape);
    json.field("dtype", type.tensor_dtype);
    json.field("unpadded_bytes", type.logical_bytes);
    json.field("is_tiled", type.is_tiled());
    write_numbers_or_null(json, "memref_shape", type.is_tiled(), type.memref);
    write_numbers_or_null(json, "tile_size", type.is_tiled(), {type.tile_height, type.tile_width});
    json.list("padded_shape", padded_shape(type));
    json.field("padded_bytes", padded);
    json.field("buffer_type", text_or_null(name_of(type.buffer)));
    json.field("overhead_pct",
               comparable ? static_cast<double>(padded - type.logical_bytes) / logical * 100 : 0.0);
    json.field("stored_dtype", type.dtype);
    json.field("memory_layout", text_or_null(name_of(type.layout)));
    write_numbers_or_null(json, "grid", type.has_layout, type.grid);
  });
}

OpFragments::OpFragments(const RuntimeLog& log) : log_(log), repeated_(log.op_texts.size()) {
  std::vector<bool> seen(log.op_texts.size());
  for (const RankLog& rank : log.ranks) {
    for (const ExecutedOp& op : rank.ops) {
      if (op.text == kNone) continue;
      if (seen[op.text]) repeated_[op.text] = true;
      seen[op.text] = true;
    }
  }
}

OpFragment OpFragments::get(const ExecutedOp& op) {
  if (op.text == kNone || !repeated_[op.text]) return make(op);
  if (const OpFragment* kept = kept_.find(op.text)) return *kept;
  const OpFragment made = make(op);
  const std::size_t size_bytes = made.head.size() + made.tail.size();
  if (kept_bytes_ + size_bytes > kKeptBytes) return made;
  kept_bytes_ += size_bytes;
  const OpFragment kept{arena_.copy(made.head), arena_.copy(made.tail)};
  kept_.set(op.text, kept);
  return kept;
}

OpFragment OpFragments::make(const ExecutedOp& op) {
  head_.clear();
  tail_.clear();
  JsonWriter head(head_, kTtmemStyle);
  head.begin_array();
  write_head(head, op);
  OpFragment fragment;
  fragment.head = head_.text().substr(kArrayStart.size());
  const OpText* text = log_.text_of(op);
  if (text == nullptr) return fragment;
  JsonWriter tail(tail_, kTtmemStyle);
  tail.begin_array();
  tail.begin_object();
  tail.field("", nullptr);
  const std::size_t placeholder = tail_.text().size();
  write_tail(tail, *text);
  fragment.tail = tail_.text().substr(placeholder);
  return fragment;
}

void OpFragments::write_head(JsonWriter& json, const ExecutedOp& op) {
  static const OpText kNoText;
  const OpText* known = log_.text_of(op);
  const OpText& text = known == nullptr ? kNoText : *known;
  json.begin_object();
  write_result(json, text);
  const std::string_view name = log_.name_of(op);
  json.field("mlir_op", name.empty() ? std::string_view("unknown") : name);
  write_inputs(json, text);
  write_part(json, "attributes", text, text.attributes);
  write_types(json, text);
  const auto results = log_.ids(text.result_types);
  const TensorType* first = results.empty() ? nullptr : tensor(results[0]);
  json.key("output_layout_info");
  if (first == nullptr) json.value(nullptr);
  if (first != nullptr) write_layout_info(json, *first);
  json.key("loc");
}

/// `%27:2` has the results `%27#0` and `%27#1`; the file calls it `%27`.
void OpFragments::write_result(JsonWriter& json, const OpText& text) {
  const auto results = log_.ids(text.results);
  if (results.empty()) {
    json.field("result", nullptr);
    return;
  }
  const std::string_view first = log_.names[results[0]];
  json.field("result", first.substr(0, first.find('#')));
}

void OpFragments::write_inputs(JsonWriter& json, const OpText& text) {
  json.array("inputs", [&] {
    if (text.callee != kNone) json.value(std::string("@").append(log_.names[text.callee]));
    for (const std::uint32_t operand : log_.ids(text.operands)) json.value(log_.names[operand]);
  });
}

void OpFragments::write_part(JsonWriter& json, std::string_view name, const OpText& text, TextPart part) {
  json.field(name, text_or_null(log_.part(text, part)));
}

void OpFragments::write_types(JsonWriter& json, const OpText& text) {
  const bool has_signature = text.result_signature.length > 0;
  if (has_signature) {
    json.field("input_types", log_.part(text, text.input_signature));
  } else {
    json.field("input_types", nullptr);
  }
  write_part(json, "output_type", text, text.result_signature);
  write_shapes(json, "input_shapes", text.input_types);
  write_dtypes(json, "input_dtypes", text.input_types);
  write_shapes(json, "output_shapes", text.result_types);
  write_dtypes(json, "output_dtypes", text.result_types);
}

void OpFragments::write_shapes(JsonWriter& json, std::string_view name, IdRange types) {
  json.list(name, log_.ids(types), [&](const std::uint32_t id) {
    const TensorType* type = tensor(id);
    json.value(type == nullptr ? std::nullopt : std::optional<std::string>(shape_text(type->shape)));
  });
}

void OpFragments::write_dtypes(JsonWriter& json, std::string_view name, IdRange types) {
  json.list(name, log_.ids(types), [&](const std::uint32_t id) {
    const TensorType* type = tensor(id);
    json.value(type == nullptr ? std::nullopt : text_or_null(type->tensor_dtype));
  });
}

void OpFragments::write_tail(JsonWriter& json, const OpText& text) {
  const auto results = log_.ids(text.results);
  const auto types = log_.ids(text.result_types);
  if (results.size() > 1) {
    json.list("results", results, [&](const std::uint32_t result) { json.value(log_.names[result]); });
    json.list("output_layouts", types, [&](const std::uint32_t id) {
      const TensorType* type = tensor(id);
      if (type == nullptr) {
        json.value(nullptr);
      } else {
        write_layout_info(json, *type);
      }
    });
  }
  if (text.discardable.length > 0) write_part(json, "discardable_attributes", text, text.discardable);
}

const TensorType* OpFragments::tensor(std::uint32_t id) const {
  return id < log_.types.size() && log_.types[id].is_tensor ? &log_.types[id] : nullptr;
}

namespace {

/// The fields that all ops of one program instance share, as text to be put into the records of one rank. Not
/// thread safe.
class RecordText {
 public:
  /// `indent` starts the line of a field of the record.
  RecordText(const RuntimeLog& log, const MemoryProfile& profile, std::string_view indent);

  void use_rank(std::uint32_t rank);
  /// `const_eval_graph` and `const_eval_cache_miss`, each with its comma before it. Valid until the next
  /// call.
  std::string_view const_eval(const ExecutedOp& op);
  /// `rank`, `file` when there are several, `program`, `program_instance`, `run`, each with its comma before
  /// it.
  std::string_view program(const ExecutedOp& op);

 private:
  void use_instance(std::uint32_t instance);
  void append_field(std::string& to, std::string_view name, std::string_view json);
  std::uint32_t const_eval_instance(std::uint32_t instance) const;

  const RuntimeLog& log_;
  const MemoryProfile& profile_;
  std::string indent_;
  ui::JsonQuoter quoter_;
  std::uint32_t rank_ = 0;
  std::uint32_t instance_ = kNone;
  bool made_ = false;  ///< the texts are those of rank_ and instance_
  std::string const_eval_;
  std::string program_;
};

RecordText::RecordText(const RuntimeLog& log, const MemoryProfile& profile, std::string_view indent)
    : log_(log), profile_(profile), indent_(indent), quoter_(kTtmemStyle) {}

void RecordText::use_rank(std::uint32_t rank) {
  rank_ = rank;
  made_ = false;
}

std::string_view RecordText::const_eval(const ExecutedOp& op) {
  use_instance(op.instance);
  return const_eval_;
}

std::string_view RecordText::program(const ExecutedOp& op) {
  use_instance(op.instance);
  return program_;
}

void RecordText::append_field(std::string& to, std::string_view name, std::string_view json) {
  to.append(",").append(indent_).append("\"").append(name).append("\": ").append(json);
}

/// The innermost const-eval program around an op: helpers that it calls belong to it.
std::uint32_t RecordText::const_eval_instance(std::uint32_t instance) const {
  const auto& programs = log_.ranks[rank_].programs;
  const auto& summaries = profile_.ranks[rank_].programs;
  while (instance < programs.size() && instance < summaries.size()) {
    if (summaries[instance].const_eval) return instance;
    if (programs[instance].parent != kNone && programs[instance].parent >= instance) break;
    instance = programs[instance].parent;
  }
  return kNone;
}

void RecordText::use_instance(std::uint32_t instance) {
  if (made_ && instance == instance_) return;
  made_ = true;
  instance_ = instance;
  const RankLog& rank = log_.ranks[rank_];
  const auto name_json = [&](std::uint32_t id) {
    const bool named = id < rank.programs.size() && rank.programs[id].name != kNone;
    return named ? quoter_.quoted(log_.names[rank.programs[id].name]) : std::string_view("null");
  };
  const auto& summaries = profile_.ranks[rank_].programs;
  const std::uint32_t const_eval = const_eval_instance(instance);
  const std::uint32_t caller = const_eval == kNone ? kNone : rank.programs[const_eval].caller_op;
  const_eval_.clear();
  append_field(const_eval_, "const_eval_graph", name_json(const_eval));
  append_field(const_eval_, "const_eval_cache_miss",
               caller < rank.ops.size() && rank.ops[caller].cache_miss ? "true" : "false");
  program_.clear();
  append_field(program_, "rank", std::to_string(rank.number));
  if (log_.files.size() > 1) append_field(program_, "file", std::to_string(rank.file));
  append_field(program_, "program", name_json(instance));
  append_field(program_, "program_instance", instance == kNone ? "null" : std::to_string(instance));
  append_field(program_, "run",
               instance < summaries.size() ? std::to_string(summaries[instance].run) : "null");
}

/// Writes the memory figures of the records of NAME_memory.json. Not thread safe.
class StateText {
 public:
  StateText();

  /// The object `memory`: banks, size and the three figures of each memory.
  void write_state(Writer& out, const BankState& state);
  /// The object `memory_after`: the three figures that an op can change.
  void write_figures(Writer& out, const BankState& state);
  /// The object `unpadded_memory`.
  void write_totals(Writer& out, const std::array<LiveTotals, kTensorMemoryCount>& totals);

 private:
  struct TotalsKey {
    std::int64_t logical_bytes = 0;
    std::int64_t padded_bytes = 0;
    std::uint32_t tensors = 0;
    bool operator==(const TotalsKey&) const = default;
  };

  std::string_view figures(const BankFigures& figures);
  std::string_view totals(const LiveTotals& totals);
  void use_geometry(const Geometry& geometry);
  void append_totals(std::string& to, const TotalsKey& key);

  Geometry geometry_;                             ///< of starts_
  std::array<std::string, kMemoryCount> starts_;  ///< `"DRAM": {` with banks and size
  ui::TextCache<BankFigures> figure_texts_;
  ui::TextCache<TotalsKey> total_texts_;
  ui::JsonQuoter quoter_;
};

constexpr std::string_view kMemoryIndent = "\n        ";
constexpr std::string_view kFigureIndent = "\n          ";

void append_key(std::string& to, std::string_view name) {
  to.append(kFigureIndent).append("\"").append(name).append("\": ");
}

void append_figure(std::string& to, std::string_view name, MilliMib value) {
  append_key(to, name);
  if (value == kNone) {
    to += "null";
  } else {
    ui::append_thousandths(to, value);
  }
}

std::uint64_t mixed(std::uint64_t a, std::uint64_t b, std::uint64_t c) { return (a * 31 + b) * 1000003 + c; }

StateText::StateText() : quoter_(kTtmemStyle) { use_geometry(geometry_); }

void StateText::use_geometry(const Geometry& geometry) {
  geometry_ = geometry;
  for (std::size_t m = 0; m < kMemoryCount; ++m) {
    std::string& start = starts_[m];
    start.assign("\"").append(name_of(kMemories[m])).append("\": {");
    append_key(start, "numBanks");
    ui::append_integer(start, geometry.banks[m]);
    start += ',';
    append_figure(start, "totalBytesPerBank_MB", geometry.total[m]);
    start += ',';
  }
}

std::string_view StateText::figures(const BankFigures& figures) {
  return figure_texts_.get(figures, mixed(figures.allocated, figures.free, figures.largest_free),
                           [&](std::string& to) {
                             append_figure(to, "totalBytesAllocatedPerBank_MB", figures.allocated);
                             to += ',';
                             append_figure(to, "totalBytesFreePerBank_MB", figures.free);
                             to += ',';
                             append_figure(to, "largestContiguousBytesFreePerBank_MB", figures.largest_free);
                             to.append(kMemoryIndent).append("}");
                           });
}

void StateText::write_state(Writer& out, const BankState& state) {
  if (!(state.geometry == geometry_)) use_geometry(state.geometry);
  std::string_view separator = "{";
  for (std::size_t m = 0; m < kMemoryCount; ++m) {
    if (state.geometry.banks[m] == 0) continue;
    out.write(separator);
    out.write(kMemoryIndent);
    out.write(starts_[m]);
    out.write(figures(state.memories[m]));
    separator = ",";
  }
  out.write(separator == "{" ? "{}" : "\n      }");
}

void StateText::write_figures(Writer& out, const BankState& state) {
  std::string_view separator = "{";
  for (std::size_t m = 0; m < kMemoryCount; ++m) {
    if (state.geometry.banks[m] == 0) continue;
    out.write(separator);
    out.write(kMemoryIndent);
    out.write('"');
    out.write(name_of(kMemories[m]));
    out.write("\": {");
    out.write(figures(state.memories[m]));
    separator = ",";
  }
  out.write(separator == "{" ? "{}" : "\n      }");
}

void StateText::append_totals(std::string& to, const TotalsKey& key) {
  const double unpadded = static_cast<double>(key.logical_bytes) / kBytesPerMib;
  const double padded = static_cast<double>(key.padded_bytes) / kBytesPerMib;
  append_key(to, "unpadded_bytes");
  ui::append_integer(to, key.logical_bytes);
  to += ',';
  append_key(to, "padded_bytes");
  ui::append_integer(to, key.padded_bytes);
  to += ',';
  append_key(to, "num_tensors");
  ui::append_integer(to, key.tensors);
  to += ',';
  append_key(to, "unpadded_MB");
  to.append(quoter_.number(unpadded)).append(",");
  append_key(to, "padded_MB");
  to.append(quoter_.number(padded)).append(",");
  append_key(to, "overhead_MB");
  to.append(quoter_.number(padded - unpadded)).append(",");
  append_key(to, "overhead_pct");
  to += key.logical_bytes == 0 ? "0" : quoter_.number((padded - unpadded) / unpadded * 100);
  to.append(kMemoryIndent).append("}");
}

std::string_view StateText::totals(const LiveTotals& totals) {
  const TotalsKey key{totals.logical_bytes, totals.padded_bytes, totals.tensors};
  const std::uint64_t hash = mixed(static_cast<std::uint64_t>(key.logical_bytes),
                                   static_cast<std::uint64_t>(key.padded_bytes), key.tensors);
  return total_texts_.get(key, hash, [&](std::string& to) { append_totals(to, key); });
}

void StateText::write_totals(Writer& out, const std::array<LiveTotals, kTensorMemoryCount>& live) {
  std::string_view separator = "{";
  for (const Memory memory : kTensorMemories) {
    out.write(separator);
    out.write(kMemoryIndent);
    out.write('"');
    out.write(name_of(memory));
    out.write("\": {");
    out.write(totals(live[index_of(memory)]));
    separator = ",";
  }
  out.write("\n      }");
}

constexpr std::string_view kIndent = "\n      ";

class MemoryFile {
 public:
  MemoryFile(const RuntimeLog& log, const MemoryProfile& profile, Writer& out)
      : log_(log),
        profile_(profile),
        out_(out),
        ops_(log, kTtmemStyle),
        types_(kTtmemStyle),
        text_(log, profile, kIndent) {}

  void write() {
    out_.write("{\n  \"metadata\": {\n    \"memory_config\": ");
    write_configuration();
    out_.write(",\n    \"total_operations\": ");
    std::uint64_t total = 0;
    for (const RankProfile& rank : profile_.ranks) total += rank.counted_ops;
    ui::write_integer(out_, static_cast<std::int64_t>(total));
    out_.write("\n  },\n  \"operations\": [");
    for (std::uint32_t rank = 0; rank < log_.ranks.size(); ++rank) write_rank(rank);
    out_.write(index_ == 0 ? "]\n}" : "\n  ]\n}");
  }

 private:
  /// Banks and sizes as the first recorded op shows them.
  void write_configuration() {
    Geometry geometry;
    for (std::uint32_t rank = 0; rank < log_.ranks.size() && geometry == Geometry{}; ++rank) {
      const auto& ops = log_.ranks[rank].ops;
      const auto counted = [&](const ExecutedOp& op) { return is_counted(log_, op); };
      const auto first = std::find_if(ops.begin(), ops.end(), counted);
      if (first == ops.end()) continue;
      BankStates states(log_, profile_, rank);
      geometry = states.before(static_cast<std::uint32_t>(first - ops.begin())).state.geometry;
    }
    std::string text;
    for (std::size_t m = 0; m < kMemoryCount; ++m) {
      if (geometry.banks[m] == 0) continue;
      text.append(text.empty() ? "{" : ",").append("\n      \"").append(name_of(kMemories[m]));
      text += "\": {\n        \"num_banks\": ";
      ui::append_integer(text, geometry.banks[m]);
      text += ",\n        \"total_bytes_per_bank_MB\": ";
      ui::append_thousandths(text, geometry.total[m]);
      text += "\n      }";
    }
    out_.write(text.empty() ? "{}" : text + "\n    }");
  }

  void write_rank(std::uint32_t rank) {
    const auto& ops = log_.ranks[rank].ops;
    BankStates states(log_, profile_, rank);
    text_.use_rank(rank);
    for (std::uint32_t i = 0; i < ops.size(); ++i) {
      if (!is_counted(log_, ops[i])) continue;
      out_.write(index_ == 0 ? "\n    {" : ",\n    {");
      write_record(rank, i, states);
      out_.write("\n    }");
      ++index_;
    }
  }

  void write_record(std::uint32_t rank, std::uint32_t i, BankStates& states) {
    const ExecutedOp& op = log_.ranks[rank].ops[i];
    const RankProfile& profile = profile_.ranks[rank];
    const BankStates::Before before = states.before(i);
    out_.write("\n      \"op_type\": ");
    out_.write(type_of(op));
    out_.write(",\n      \"memory\": ");
    state_text_.write_state(out_, before.state);
    out_.write(",\n      \"index\": ");
    ui::write_integer(out_, index_);
    out_.write(",\n      \"mlir_op\": ");
    out_.write(ops_.name(op));
    out_.write(",\n      \"loc\": ");
    out_.write(ops_.loc(op));
    out_.write(text_.const_eval(op));
    const bool weight = i < profile.is_weight_op.size() && profile.is_weight_op[i];
    out_.write(weight ? ",\n      \"is_weight_op\": true" : ",\n      \"is_weight_op\": false");
    out_.write(",\n      \"unpadded_memory\": ");
    static constexpr std::array<LiveTotals, kTensorMemoryCount> kNothing{};
    state_text_.write_totals(out_, i < profile.live_totals.size() ? profile.live_totals[i] : kNothing);
    write_after(states.after(i, before.state), before.source);
    write_own_growth(profile, i);
    out_.write(",\n      \"op_index\": ");
    ui::write_integer(out_, i);
    out_.write(",\n      \"line\": ");
    ui::write_integer(out_, op.line);
    out_.write(text_.program(op));
  }

  void write_after(const BankStates::After& after, StateSource source) {
    out_.write(",\n      \"memory_source\": \"");
    out_.write(name_of(source));
    out_.write("\",\n      \"memory_after\": ");
    state_text_.write_figures(out_, after.state);
    out_.write(",\n      \"memory_after_confidence\": \"");
    out_.write(name_of(after.confidence));
    out_.write('"');
  }

  void write_own_growth(const RankProfile& profile, std::uint32_t i) {
    static const OpEffect kNothing;
    const OpEffect& effect = i < profile.effects.size() ? profile.effects[i] : kNothing;
    out_.write(",\n      \"own_growth\": {\n        \"DRAM\": ");
    ui::write_integer(out_, effect.own_growth[index_of(Memory::kDram)]);
    out_.write(",\n        \"L1\": ");
    ui::write_integer(out_, effect.own_growth[index_of(Memory::kL1)]);
    out_.write("\n      },\n      \"own_growth_confidence\": \"");
    const Confidence weakest = std::max(effect.confidence[0], effect.confidence[1]);
    out_.write(name_of(weakest == Confidence::kNone ? Confidence::kModeled : weakest));
    out_.write('"');
  }

  std::string_view type_of(const ExecutedOp& op) {
    if (op.op_type == kNone) return "null";
    return types_.get(op.op_type,
                      [&](ui::JsonQuoter& quoter) { return quoter.quoted(log_.names[op.op_type]); });
  }

  const RuntimeLog& log_;
  const MemoryProfile& profile_;
  Writer& out_;
  OpJson ops_;
  ui::JsonTable types_;
  RecordText text_;
  StateText state_text_;
  std::int64_t index_ = 0;  ///< of the next record
};

}  // namespace

void write_memory_file(const RuntimeLog& log, const MemoryProfile& profile, Writer& out) {
  MemoryFile(log, profile, out).write();
}

namespace {

constexpr std::string_view kRecordIndent = "\n    ";

class OperationsFile {
 public:
  OperationsFile(const RuntimeLog& log, const MemoryProfile& profile, Writer& out)
      : log_(log),
        profile_(profile),
        out_(out),
        ops_(log, kTtmemStyle),
        weights_(kTtmemStyle),
        text_(log, profile, kRecordIndent),
        fragments_(log),
        flow_(log, profile) {}

  void write() {
    out_.write("[");
    for (std::uint32_t rank = 0; rank < log_.ranks.size(); ++rank) {
      const auto& ops = log_.ranks[rank].ops;
      text_.use_rank(rank);
      flow_.use_rank(rank);
      for (std::uint32_t i = 0; i < ops.size(); ++i) {
        if (is_counted(log_, ops[i])) write_record(rank, i);
      }
    }
    out_.write(index_ == 0 ? "]" : "\n]");
  }

 private:
  void write_record(std::uint32_t rank, std::uint32_t i) {
    const ExecutedOp& op = log_.ranks[rank].ops[i];
    const RankProfile& profile = profile_.ranks[rank];
    const OpFragment fragment = fragments_.get(op);
    if (index_ > 0) out_.write(',');
    out_.write(fragment.head);
    out_.write(ops_.loc(op));
    out_.write(",\n    \"index\": ");
    ui::write_integer(out_, index_++);
    out_.write(text_.const_eval(op));
    const bool weight = i < profile.is_weight_op.size() && profile.is_weight_op[i];
    out_.write(weight ? ",\n    \"is_weight_op\": true" : ",\n    \"is_weight_op\": false");
    write_weights(i);
    out_.write(fragment.tail);
    out_.write(",\n    \"op_index\": ");
    ui::write_integer(out_, i);
    out_.write(",\n    \"line\": ");
    ui::write_integer(out_, op.line);
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
    return weights_.get(id, [&](ui::JsonQuoter& quoter) {
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

  const RuntimeLog& log_;
  const MemoryProfile& profile_;
  Writer& out_;
  OpJson ops_;
  ui::JsonTable weights_;
  RecordText text_;
  OpFragments fragments_;
  WeightFlow flow_;
  std::string weight_;
  std::int64_t index_ = 0;  ///< of the next record
};

}  // namespace

void write_operations_file(const RuntimeLog& log, const MemoryProfile& profile, Writer& out) {
  OperationsFile(log, profile, out).write();
}

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
  json.object("metadata", [&] {
    if (!profile.arguments.empty()) {
      json.field("total_entries", profile.arguments.size());
      json.field("total_weights", profile.weight_count);
      json.field("total_inputs", count_inputs(profile));
      json.field("total_weight_bytes", profile.weight_bytes);
      json.field("total_weight_MB", static_cast<double>(profile.weight_bytes) / kBytesPerMib);
    }
  });
}

void write_entry(JsonWriter& json, const RuntimeLog& log, const Argument& argument) {
  const std::string shape = shape_text(argument.shape);
  json.field("ssa", argument.ssa == kNone ? std::string_view("?") : log.names[argument.ssa]);
  json.field("name", argument.name);
  json.field("type", name_of(argument.role));
  json.field("shape", shape.empty() ? std::optional<std::string>() : std::optional<std::string>(shape));
  json.field("dtype", argument.dtype);
  json.field("bytes", argument.logical_bytes);
  json.field("bytes_MB", static_cast<double>(argument.logical_bytes) / kBytesPerMib);
}

void write_own_fields(JsonWriter& json, const Argument& argument) {
  json.field("graph", id_or_null(argument.graph));
  json.field("same_as", id_or_null(argument.same_as));
  json.field("counted", argument.counted_weight);
  json.field("type_from_flow", argument.role_from_flow);
  json.field("kv_cache", argument.kv_cache);
  json.list("const_eval_graphs", argument.const_eval_graphs);
}

}  // namespace

void write_registry_file(const RuntimeLog& log, const MemoryProfile& profile, Writer& out) {
  JsonWriter json(out, kTtmemStyle);
  json.object([&] {
    write_metadata(json, profile);
    json.array("entries", [&] {
      for (std::size_t i = 0; i < profile.arguments.size(); ++i)
        json.object([&] {
          json.field("index", i);
          write_entry(json, log, profile.arguments[i]);
          write_own_fields(json, profile.arguments[i]);
        });
    });
  });
}

namespace {

class IrFile {
 public:
  IrFile(const RuntimeLog& log, const MemoryProfile& profile, Writer& out)
      : log_(log), profile_(profile), out_(out), json_(out, kTtmemStyle), quoter_(kTtmemStyle) {}

  void write() {
    const auto& groups = profile_.module_groups;
    json_.object([&] {
      write_module("ttir", groups.empty() ? nullptr : in_group(groups[0], kTtirStages),
                   first_of(kTtirStages));
      write_module("ttnn", groups.empty() ? nullptr : in_group(groups[0], kTtnnStages),
                   first_of(kTtnnStages));
      json_.array("graphs", [&] {
        for (std::uint32_t group = 1; group < groups.size(); ++group) write_group(group);
      });
    });
  }

 private:
  using Stages = std::array<Stage, 2>;
  static constexpr Stages kTtirStages = {Stage::kTtir, Stage::kTtir};
  static constexpr Stages kTtnnStages = {Stage::kTtnn, Stage::kTtnnRuntime};  ///< the same device functions

  const ModuleDump* in_group(const ModuleGroup& group, const Stages& stages) const {
    for (const Stage stage : stages) {
      const std::uint32_t id = group.by_stage[static_cast<std::size_t>(stage)];
      if (id < log_.modules.size()) return &log_.modules[id];
    }
    return nullptr;
  }

  const ModuleDump* first_of(const Stages& stages) const {
    for (const Stage stage : stages) {
      const auto found = std::find_if(log_.modules.begin(), log_.modules.end(),
                                      [&](const ModuleDump& module) { return module.stage == stage; });
      if (found != log_.modules.end()) return &*found;
    }
    return nullptr;
  }

  void write_group(std::uint32_t group) {
    json_.object([&] {
      json_.field("group", group);
      json_.list("programs", profile_.graphs, [&](const Graph& graph) {
        if (graph.module_group == group && graph.name != kNone) json_.value(log_.names[graph.name]);
      });
      write_module("ttir", in_group(profile_.module_groups[group], kTtirStages), nullptr);
      write_module("ttnn", in_group(profile_.module_groups[group], kTtnnStages), nullptr);
    });
  }

  void write_module(std::string_view name, const ModuleDump* module, const ModuleDump* otherwise) {
    static const ModuleDump kNone;
    const ModuleDump& shown = module != nullptr ? *module : otherwise != nullptr ? *otherwise : kNone;
    json_.object(name, [&] {
      write_text(shown);
      write_index(index_locations(shown.lines));
      json_.field("line", positive_or_null(shown.line));
    });
  }

  /// Line by line: a module can be larger than all else that is kept of a log.
  void write_text(const ModuleDump& module) {
    json_.key("text");
    json_.raw("\"");
    for (const std::string_view line : module.lines) {
      const std::string_view quoted = quoter_.quoted(line);
      out_.write(quoted.substr(1, quoted.size() - 2));
      out_.write("\\n");
    }
    out_.write('"');
  }

  void write_index(const LocIndex& index) {
    json_.object("loc_index", [&] {
      for (const LocIndex::Entry& entry : index.entries) json_.field(entry.name, entry.line);
    });
    json_.object("loc_lines", [&] {
      for (const LocIndex::Entry& entry : index.entries) {
        if (entry.lines.size() < 2) continue;
        json_.list(entry.name, entry.lines);
      }
    });
    json_.objects("functions", index.functions, [&](const LocIndex::Function& function) {
      json_.field("name", function.name);
      json_.field("first_line", function.first_line);
      json_.field("last_line", function.last_line);
    });
  }

  const RuntimeLog& log_;
  const MemoryProfile& profile_;
  Writer& out_;
  JsonWriter json_;
  ui::JsonQuoter quoter_;
};

}  // namespace

void write_ir_file(const RuntimeLog& log, const MemoryProfile& profile, Writer& out) {
  IrFile(log, profile, out).write();
}

}  // namespace ttscope::mem
