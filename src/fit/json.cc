#include <cmath>
#include <optional>

#include "base/json_writer.h"
#include "fit/outputs.h"
#include "ui/json_text.h"

namespace ttscope::fit {
namespace {

std::optional<std::string_view> text_or_null(const std::string& text) {
  return text.empty() ? std::nullopt : std::optional<std::string_view>(text);
}

std::optional<std::uint32_t> number_or_null(std::uint32_t number, std::uint32_t absent) {
  return number == absent ? std::nullopt : std::optional<std::uint32_t>(number);
}

std::optional<std::int64_t> known_or_null(std::int64_t figure) {
  return figure < 0 ? std::nullopt : std::optional<std::int64_t>(figure);
}

/// A figure of a memory; null where the input does not tell of that memory.
template <class Figure>
std::optional<Figure> told(const MemoryUse* use, Figure MemoryUse::*figure) {
  return use == nullptr || !use->is_told ? std::nullopt : std::optional<Figure>(use->*figure);
}

void write_place(JsonWriter& json, const Place& place) {
  json.field("op", text_or_null(place.op));
  json.field("loc", text_or_null(place.loc));
  json.field("line", number_or_null(place.line, 0));
  json.field("op_index", number_or_null(place.op_index, kNone));
  json.field("phase", text_or_null(place.phase));
}

void write_replay(JsonWriter& json, const std::optional<Agreement>& replay) {
  json.key("replay");
  if (!replay) return json.value(nullptr);
  json.begin_object();
  json.field("states", replay->states);
  json.field("allocated_equal", replay->allocated_equal);
  json.field("largest_free_equal", replay->largest_free_equal);
  json.field("corrections", replay->corrections);
  json.field("unexplained_bytes_per_bank", replay->unexplained_bytes_per_bank);
  json.field("miss_count", replay->misses);
  json.key("misses");
  json.begin_array();
  for (const ReplayMiss& miss : replay->first_misses) {
    json.begin_object();
    json.field("rank", miss.rank);
    json.field("line", miss.line);
    json.field("memory", name_of(miss.memory));
    json.field("figure", miss.of_largest_free ? "largest_free" : "allocated");
    json.field("printed_bytes_per_bank", miss.printed_bytes_per_bank);
    json.field("replayed_bytes_per_bank", miss.replayed_bytes_per_bank);
    json.end_object();
  }
  json.end_array();
  json.end_object();
}

void write_changes(JsonWriter& json, const std::vector<AppliedChange>& changes) {
  json.key("changes");
  json.begin_array();
  for (const AppliedChange& change : changes) {
    json.begin_object();
    json.field("option", change.option);
    json.field("value", text_or_null(change.value));
    json.field("tensors", change.whole_model ? std::nullopt : std::optional<std::uint64_t>(change.tensors));
    json.field("from", change.from > 0 ? std::optional<std::int64_t>(change.from) : std::nullopt);
    json.field("basis", name_of(change.basis));
    json.end_object();
  }
  json.end_array();
}

void write_memories(JsonWriter& json, const DeviceVerdict& verdict) {
  json.key("memories");
  json.begin_array();
  for (const MemoryUse& use : verdict.memories) {
    json.begin_object();
    json.field("memory", name_of(use.memory));
    json.field("banks", use.region.banks);
    json.field("bank_bytes", use.region.bytes_per_bank);
    json.field("peak_bytes_per_bank", told(&use, &MemoryUse::peak_bytes_per_bank));
    json.field("headroom_bytes_per_bank", told(&use, &MemoryUse::headroom_bytes_per_bank));
    json.field("smallest_largest_free_bytes_per_bank",
               told(&use, &MemoryUse::smallest_largest_free_bytes_per_bank));
    const std::optional<double> fragmentation = told(&use, &MemoryUse::worst_fragmentation);
    json.field("worst_fragmentation",
               fragmentation ? std::optional<double>(std::round(*fragmentation * 1e6) / 1e6) : std::nullopt);
    json.field("basis", name_of(use.basis));
    json.key("peak_at");
    json.begin_object();
    write_place(json, use.peak_place);
    json.end_object();
    json.end_object();
  }
  json.end_array();
}

void write_held(JsonWriter& json, const Failure& failure) {
  json.key("held");
  json.begin_array();
  for (const KindBytes& kind : failure.held) {
    json.begin_object();
    json.field("kind", kind.kind);
    json.field("bytes_per_bank", kind.bytes_per_bank);
    json.field("tensors", kind.tensors);
    json.end_object();
  }
  json.end_array();
  json.field("live_tensor_count", failure.live_tensors);
  json.key("live_tensors");
  json.begin_array();
  for (const LiveTensor& tensor : failure.live) {
    json.begin_object();
    json.field("name", tensor.name);
    json.field("kind", tensor.kind);
    json.field("shape", text_or_null(tensor.shape));
    json.field("dtype", text_or_null(tensor.dtype));
    json.field("bytes_per_bank", tensor.bytes_per_bank);
    json.end_object();
  }
  json.end_array();
}

void write_failure(JsonWriter& json, const std::optional<Failure>& failure) {
  json.key("failure");
  if (!failure) return json.value(nullptr);
  json.begin_object();
  json.field("memory",
             failure->memory ? std::optional<std::string_view>(name_of(*failure->memory)) : std::nullopt);
  write_place(json, failure->place);
  json.field("bytes_per_bank", known_or_null(failure->bytes_per_bank));
  json.field("largest_free_bytes_per_bank", known_or_null(failure->largest_free_bytes_per_bank));
  json.field("free_bytes_per_bank", known_or_null(failure->free_bytes_per_bank));
  json.field("shortage", name_of(failure->shortage));
  json.field("reached_bytes", known_or_null(failure->reached_bytes));
  json.field("limit_bytes", known_or_null(failure->limit_bytes));
  json.field("needed", failure->needed > 0 ? std::optional<std::int64_t>(failure->needed) : std::nullopt);
  json.field("tensor", text_or_null(failure->tensor));
  json.field("text", failure_sentence(*failure));
  json.field("basis", name_of(failure->basis));
  write_held(json, *failure);
  json.end_object();
}

void write_phases(JsonWriter& json, const std::vector<PhaseUse>& phases) {
  json.key("phases");
  json.begin_array();
  for (const PhaseUse& phase : phases) {
    json.begin_object();
    json.field("name", phase.name);
    json.field("state", name_of(phase.state));
    json.field("before_bytes_per_bank", phase.before_bytes_per_bank);
    json.field("peak_bytes_per_bank", phase.peak_bytes_per_bank);
    json.field("after_bytes_per_bank", phase.after_bytes_per_bank);
    json.end_object();
  }
  json.end_array();
}

/// That it fits holds for the beginning of the run alone: why. Null where it does not fit, or where all of it
/// is told.
void write_so_far(JsonWriter& json, bool fits, const std::optional<Omission>& cut_by) {
  const bool so_far = fits && cut_by;
  json.field("so_far", so_far ? std::optional<std::string_view>(name_of(*cut_by)) : std::nullopt);
}

void write_device(JsonWriter& json, const DeviceVerdict& verdict, const std::optional<Omission>& cut_by) {
  const MemoryUse* dram = verdict.use_of(Memory::kDram);
  json.begin_object();
  json.field("device", verdict.device.name);
  json.field("fits", verdict.fits);
  write_so_far(json, verdict.fits, cut_by);
  json.field("peak_bytes_per_bank", told(dram, &MemoryUse::peak_bytes_per_bank));
  json.field("headroom_bytes_per_bank", told(dram, &MemoryUse::headroom_bytes_per_bank));
  write_failure(json, verdict.failure);
  json.field("basis", name_of(verdict.basis));
  json.field("own", verdict.device.is_own);
  json.field("assumed", verdict.device.is_assumed);
  json.field("arch", text_or_null(verdict.device.arch));
  json.field("chips", number_or_null(verdict.device.chips, 0));
  json.field("rank", verdict.rank);
  json.field("file", text_or_null(verdict.file));
  write_memories(json, verdict);
  write_phases(json, verdict.phases);
  json.end_object();
}

void write_search(JsonWriter& json, const Report& report) {
  const std::optional<Search>& search = report.search;
  json.key("search");
  if (!search) return json.value(nullptr);
  json.begin_object();
  json.field("device", search->device);
  json.field("fits_unchanged", search->fits_unchanged);
  json.field("answer", search->answer);
  json.field("text", search_sentence(report));
  json.key("attempts");
  json.begin_array();
  for (const Attempt& attempt : search->attempts) {
    json.begin_object();
    json.field("fits", attempt.fits);
    json.field("peak_bytes_per_bank", attempt.peak_bytes_per_bank);
    json.field("headroom_bytes_per_bank", attempt.headroom_bytes_per_bank);
    json.field("basis", name_of(attempt.basis));
    write_changes(json, attempt.changes);
    json.end_object();
  }
  json.end_array();
  json.end_object();
}

void write_maximum(JsonWriter& json, const std::optional<Maximum>& maximum) {
  json.key("maximum");
  if (!maximum) return json.value(nullptr);
  json.begin_object();
  json.field("device", maximum->device);
  json.field("of", name_of(maximum->growth));
  json.field("recorded", maximum->recorded);
  json.field("largest", maximum->largest);
  json.field("at_limit", maximum->at_limit);
  json.field("headroom_bytes_per_bank", maximum->headroom_bytes_per_bank);
  json.end_object();
}

}  // namespace

void write_fit_object(JsonWriter& json, const Report& report, std::string_view tool_version) {
  json.begin_object();
  ui::write_document_head(json, "ttscope.fit/1", tool_version);
  json.key("inputs");
  json.begin_array();
  for (const std::string& path : report.inputs) json.value(path);
  json.end_array();
  json.field("input_kind", report.input_kind);
  json.field("ranks", report.ranks);
  json.field("fits", report.fits());
  write_so_far(json, report.fits(), report.cut_by());
  write_replay(json, report.replay);
  write_changes(json, report.changes);
  json.key("devices");
  json.begin_array();
  for (const DeviceVerdict& verdict : report.devices) write_device(json, verdict, report.cut_by());
  json.end_array();
  json.key("leaves_out");
  json.begin_array();
  for (const Omission omission : report.omissions) {
    json.begin_object();
    json.field("what", name_of(omission));
    json.field("text", omission_sentence(omission));
    json.end_object();
  }
  json.end_array();
  write_search(json, report);
  write_maximum(json, report.maximum);
  json.end_object();
}

void write_fit_json(const Report& report, Writer& out, std::string_view tool_version) {
  JsonWriter json(out, {.indented = true});
  write_fit_object(json, report, tool_version);
  out.write('\n');
}

}  // namespace ttscope::fit
