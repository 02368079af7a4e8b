#include <cmath>
#include <optional>

#include "base/json_writer.h"
#include "fit/outputs.h"
#include "ui/json_text.h"

namespace ttscope::fit {
namespace {

/// A figure of a memory; null where the input does not tell of that memory.
template <class Figure>
std::optional<Figure> known_figure(const MemoryUse* use, Figure MemoryUse::*figure) {
  return use == nullptr || !use->is_known ? std::nullopt : std::optional<Figure>(use->*figure);
}

void write_place(JsonWriter& json, const Place& place) {
  json.field("op", text_or_null(place.op));
  json.field("loc", text_or_null(place.loc));
  json.field("line", positive_or_null(place.line));
  json.field("op_index", id_or_null(place.op_index));
  json.field("phase", text_or_null(place.phase));
}

void write_replay(JsonWriter& json, const std::optional<Agreement>& replay) {
  if (!replay) return json.field("replay", nullptr);
  json.object("replay", [&] {
    json.field("states", replay->states);
    json.field("allocated_equal", replay->allocated_equal);
    json.field("largest_free_equal", replay->largest_free_equal);
    json.field("corrections", replay->corrections);
    json.field("unexplained_bytes_per_bank", replay->unexplained_bytes_per_bank);
    json.field("miss_count", replay->misses);
    json.objects("misses", replay->first_misses, [&](const ReplayMiss& miss) {
      json.field("rank", miss.rank);
      json.field("line", miss.line);
      json.field("memory", name_of(miss.memory));
      json.field("figure", miss.of_largest_free ? "largest_free" : "allocated");
      json.field("printed_bytes_per_bank", miss.printed_bytes_per_bank);
      json.field("replayed_bytes_per_bank", miss.replayed_bytes_per_bank);
    });
  });
}

void write_changes(JsonWriter& json, const std::vector<AppliedChange>& changes) {
  json.objects("changes", changes, [&](const AppliedChange& change) {
    json.field("option", change.option);
    json.field("value", text_or_null(change.value));
    json.field("tensors", change.whole_model ? std::nullopt : std::optional<std::uint64_t>(change.tensors));
    json.field("from", positive_or_null(change.from));
    json.field("basis", name_of(change.basis));
  });
}

void write_memories(JsonWriter& json, const DeviceVerdict& verdict) {
  json.objects("memories", verdict.memories, [&](const MemoryUse& use) {
    json.field("memory", name_of(use.memory));
    json.field("banks", use.region.banks);
    json.field("bank_bytes", use.region.bytes_per_bank);
    json.field("peak_bytes_per_bank", known_figure(&use, &MemoryUse::peak_bytes_per_bank));
    json.field("headroom_bytes_per_bank", known_figure(&use, &MemoryUse::headroom_bytes_per_bank));
    json.field("smallest_largest_free_bytes_per_bank",
               known_figure(&use, &MemoryUse::smallest_largest_free_bytes_per_bank));
    const std::optional<double> fragmentation = known_figure(&use, &MemoryUse::worst_fragmentation);
    json.field("worst_fragmentation",
               fragmentation ? std::optional<double>(std::round(*fragmentation * 1e6) / 1e6) : std::nullopt);
    json.field("basis", name_of(use.basis));
    json.object("peak_at", [&] { write_place(json, use.peak_place); });
  });
}

void write_held(JsonWriter& json, const Failure& failure) {
  json.objects("held", failure.held, [&](const KindBytes& kind) {
    json.field("kind", kind.kind);
    json.field("bytes_per_bank", kind.bytes_per_bank);
    json.field("tensors", kind.tensors);
  });
  json.field("live_tensor_count", failure.live_tensors);
  json.objects("live_tensors", failure.live, [&](const LiveTensor& tensor) {
    json.field("name", tensor.name);
    json.field("kind", tensor.kind);
    json.field("shape", text_or_null(tensor.shape));
    json.field("dtype", text_or_null(tensor.dtype));
    json.field("bytes_per_bank", tensor.bytes_per_bank);
  });
}

void write_failure(JsonWriter& json, const std::optional<Failure>& failure) {
  if (!failure) return json.field("failure", nullptr);
  json.object("failure", [&] {
    json.field("memory",
               failure->memory ? std::optional<std::string_view>(name_of(*failure->memory)) : std::nullopt);
    write_place(json, failure->place);
    json.field("bytes_per_bank", known_or_null(failure->bytes_per_bank));
    json.field("largest_free_bytes_per_bank", known_or_null(failure->largest_free_bytes_per_bank));
    json.field("free_bytes_per_bank", known_or_null(failure->free_bytes_per_bank));
    json.field("shortage", name_of(failure->shortage));
    json.field("reached_bytes", known_or_null(failure->reached_bytes));
    json.field("limit_bytes", known_or_null(failure->limit_bytes));
    json.field("needed", positive_or_null(failure->needed));
    json.field("tensor", text_or_null(failure->tensor));
    json.field("text", failure_sentence(*failure));
    json.field("basis", name_of(failure->basis));
    write_held(json, *failure);
  });
}

void write_phases(JsonWriter& json, const std::vector<PhaseUse>& phases) {
  json.objects("phases", phases, [&](const PhaseUse& phase) {
    json.field("name", phase.name);
    json.field("state", name_of(phase.state));
    json.field("before_bytes_per_bank", phase.before_bytes_per_bank);
    json.field("peak_bytes_per_bank", phase.peak_bytes_per_bank);
    json.field("after_bytes_per_bank", phase.after_bytes_per_bank);
  });
}

/// That it fits holds for the beginning of the run alone: why. Null where it does not fit, or where all of it
/// is told.
void write_fits(JsonWriter& json, bool fits, const std::optional<Omission>& cut_by) {
  const bool so_far = fits && cut_by;
  json.field("so_far", so_far ? std::optional<std::string_view>(name_of(*cut_by)) : std::nullopt);
}

void write_device(JsonWriter& json, const DeviceVerdict& verdict, const std::optional<Omission>& cut_by) {
  const MemoryUse* dram = verdict.use_of(Memory::kDram);
  json.object([&] {
    json.field("device", verdict.device.name);
    json.field("fits", verdict.fits);
    write_fits(json, verdict.fits, cut_by);
    json.field("peak_bytes_per_bank", known_figure(dram, &MemoryUse::peak_bytes_per_bank));
    json.field("headroom_bytes_per_bank", known_figure(dram, &MemoryUse::headroom_bytes_per_bank));
    write_failure(json, verdict.failure);
    json.field("basis", name_of(verdict.basis));
    json.field("own", verdict.device.is_own);
    json.field("assumed", verdict.device.is_assumed);
    json.field("arch", text_or_null(verdict.device.arch));
    json.field("chips", positive_or_null(verdict.device.chips));
    json.field("rank", verdict.rank);
    json.field("file", text_or_null(verdict.file));
    write_memories(json, verdict);
    write_phases(json, verdict.phases);
  });
}

void write_search(JsonWriter& json, const Report& report) {
  const std::optional<Search>& search = report.search;
  if (!search) return json.field("search", nullptr);
  json.object("search", [&] {
    json.field("device", search->device);
    json.field("fits_unchanged", search->fits_unchanged);
    json.field("answer", search->answer);
    json.field("text", search_sentence(report));
    json.objects("attempts", search->attempts, [&](const Attempt& attempt) {
      json.field("fits", attempt.fits);
      json.field("peak_bytes_per_bank", attempt.peak_bytes_per_bank);
      json.field("headroom_bytes_per_bank", attempt.headroom_bytes_per_bank);
      json.field("basis", name_of(attempt.basis));
      write_changes(json, attempt.changes);
    });
  });
}

void write_maximum(JsonWriter& json, const std::optional<Maximum>& maximum) {
  if (!maximum) return json.field("maximum", nullptr);
  json.object("maximum", [&] {
    json.field("device", maximum->device);
    json.field("of", name_of(maximum->growth));
    json.field("recorded", maximum->recorded);
    json.field("largest", maximum->largest);
    json.field("at_limit", maximum->at_limit);
    json.field("headroom_bytes_per_bank", maximum->headroom_bytes_per_bank);
  });
}

}  // namespace

void write_fit_object(JsonWriter& json, const Report& report, std::string_view tool_version) {
  json.object([&] {
    ui::write_document_head(json, "ttscope.fit/1", tool_version);
    json.list("inputs", report.inputs);
    json.field("input_kind", report.input_kind);
    json.field("ranks", report.ranks);
    json.field("fits", report.fits());
    write_fits(json, report.fits(), report.cut_by());
    write_replay(json, report.replay);
    write_changes(json, report.changes);
    json.list("devices", report.devices,
              [&](const DeviceVerdict& verdict) { write_device(json, verdict, report.cut_by()); });
    json.objects("leaves_out", report.omissions, [&](const Omission omission) {
      json.field("what", name_of(omission));
      json.field("text", omission_sentence(omission));
    });
    write_search(json, report);
    write_maximum(json, report.maximum);
  });
}

void write_fit_json(const Report& report, Writer& out, std::string_view tool_version) {
  JsonWriter json(out, {.indented = true});
  write_fit_object(json, report, tool_version);
  out.write('\n');
}

}  // namespace ttscope::fit
