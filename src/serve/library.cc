#include "serve/library.h"

#include <algorithm>

#include "base/json_writer.h"

namespace ttscope::serve {
namespace {

char lower(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; }

bool is_name(std::string_view one, std::string_view other) {
  return std::equal(one.begin(), one.end(), other.begin(), other.end(),
                    [](char a, char b) { return lower(a) == lower(b); });
}

std::string_view first_of(const Headers& headers, std::string_view name) {
  const auto found =
      std::find_if(headers.begin(), headers.end(), [&](const auto& one) { return is_name(one.first, name); });
  return found == headers.end() ? std::string_view() : std::string_view(found->second);
}

}  // namespace

std::size_t Request::count(std::string_view name) const {
  return static_cast<std::size_t>(std::count_if(headers.begin(), headers.end(),
                                                [&](const auto& one) { return is_name(one.first, name); }));
}

std::string_view Request::header(std::string_view name) const { return first_of(headers, name); }

std::string_view Response::header(std::string_view name) const { return first_of(headers, name); }

namespace {

constexpr std::int64_t kFull = 1000;

std::string_view name_of(JobState state) {
  switch (state) {
    case JobState::kWaiting:
      return "waiting";
    case JobState::kRunning:
      return "running";
    case JobState::kDone:
      return "done";
    case JobState::kFailed:
      return "failed";
  }
  return "failed";
}

void write_peak(JsonWriter& json, std::string_view key, const MemoryPeak& peak) {
  if (peak.peak_bytes_per_bank < 0) return json.field(key, nullptr);
  json.object(key, [&] {
    json.field("peak_bytes_per_bank", peak.peak_bytes_per_bank);
    json.field("capacity_bytes_per_bank", peak.capacity_bytes_per_bank);
    json.field("banks", peak.banks);
  });
}

/// Thousandths of the highest value: enough for a picture of 100 pixels, and a third of the bytes.
void write_curve(JsonWriter& json, const std::vector<std::int64_t>& curve) {
  json.array("curve_permille_of_peak", [&] {
    const std::int64_t highest = curve.empty() ? 0 : *std::max_element(curve.begin(), curve.end());
    for (const std::int64_t value : curve) {
      const double share = highest > 0 ? static_cast<double>(value) / static_cast<double>(highest) : 0;
      json.value(static_cast<std::int64_t>(std::clamp(share, 0.0, 1.0) * kFull));
    }
  });
}

void write_report(JsonWriter& json, const Report& report) {
  json.field("id", report.id);
  json.field("name", report.name);
  json.field("folder", report.folder);
  json.field("time_s", report.time_s);
  json.field("size_bytes", report.size_bytes);
  json.field("has_page", !report.page.empty());
  json.field("outcome", text_or_null(report.summary.outcome));
  json.field("fit", text_or_null(report.summary.fit));
  json.field("ops", known_or_null(report.summary.ops));
  write_peak(json, "dram", report.summary.dram);
  write_peak(json, "l1", report.summary.l1);
  json.field("wall_us", known_or_null(report.summary.wall_us));
  json.field("comparable", !report.inputs.empty());
  write_curve(json, report.summary.curve);
  json.objects("files", report.files, [&](const ReportFile& file) {
    json.field("name", file.name);
    json.field("size_bytes", file.size_bytes);
  });
}

void write_job(JsonWriter& json, const Job& job) {
  json.field("id", job.id);
  json.field("name", job.name);
  json.field("state", name_of(job.state));
  json.field("message", job.message);
}

}  // namespace

std::string library_json(const Library& library) {
  StringWriter out;
  JsonWriter json(out);
  json.object([&] {
    json.field("schema", "ttscope.library/1");
    json.field("tool_version", library.settings.tool_version);
    json.field("version", library.version);
    json.field("upload_limit_bytes", library.settings.upload_limit_bytes);
    json.field("can_compare", library.settings.can_compare);
    json.objects("reports", library.reports, [&](const Report& report) { write_report(json, report); });
    json.objects("jobs", library.jobs, [&](const Job& job) { write_job(json, job); });
  });
  return out.finish() ? out.text() : std::string();
}

std::string job_json(const Job& job) {
  StringWriter out;
  JsonWriter json(out);
  json.object([&] { json.object("job", [&] { write_job(json, job); }); });
  return out.finish() ? out.text() : std::string();
}

}  // namespace ttscope::serve
