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
  json.key(key);
  if (peak.peak_bytes_per_bank < 0) {
    json.value(nullptr);
    return;
  }
  json.begin_object();
  json.field("peak_bytes_per_bank", peak.peak_bytes_per_bank);
  json.field("capacity_bytes_per_bank", peak.capacity_bytes_per_bank);
  json.field("banks", peak.banks);
  json.end_object();
}

/// Thousandths of the highest value: enough for a picture of 100 pixels, and a third of the bytes.
void write_curve(JsonWriter& json, const std::vector<std::int64_t>& curve) {
  json.key("curve_permille_of_peak");
  json.begin_array();
  const std::int64_t highest = curve.empty() ? 0 : *std::max_element(curve.begin(), curve.end());
  for (const std::int64_t value : curve) {
    const double share = highest > 0 ? static_cast<double>(value) / static_cast<double>(highest) : 0;
    json.value(static_cast<std::int64_t>(std::clamp(share, 0.0, 1.0) * kFull));
  }
  json.end_array();
}

void write_word(JsonWriter& json, std::string_view key, const std::string& word) {
  json.key(key);
  if (word.empty()) {
    json.value(nullptr);
  } else {
    json.value(word);
  }
}

void write_report(JsonWriter& json, const Report& report) {
  json.begin_object();
  json.field("id", report.id);
  json.field("name", report.name);
  json.field("folder", report.folder);
  json.field("time_s", report.time_s);
  json.field("size_bytes", report.size_bytes);
  json.field("has_page", !report.page.empty());
  write_word(json, "outcome", report.summary.outcome);
  write_word(json, "fit", report.summary.fit);
  json.key("ops");
  if (report.summary.ops >= 0) {
    json.value(report.summary.ops);
  } else {
    json.value(nullptr);
  }
  write_peak(json, "dram", report.summary.dram);
  write_peak(json, "l1", report.summary.l1);
  json.key("wall_us");
  if (report.summary.wall_us >= 0) {
    json.value(report.summary.wall_us);
  } else {
    json.value(nullptr);
  }
  json.field("comparable", !report.inputs.empty());
  write_curve(json, report.summary.curve);
  json.key("files");
  json.begin_array();
  for (const ReportFile& file : report.files) {
    json.begin_object();
    json.field("name", file.name);
    json.field("size_bytes", file.size_bytes);
    json.end_object();
  }
  json.end_array();
  json.end_object();
}

void write_job(JsonWriter& json, const Job& job) {
  json.begin_object();
  json.field("id", job.id);
  json.field("name", job.name);
  json.field("state", name_of(job.state));
  json.field("message", job.message);
  json.end_object();
}

}  // namespace

std::string library_json(const Library& library) {
  StringWriter out;
  JsonWriter json(out);
  json.begin_object();
  json.field("schema", "ttscope.library/1");
  json.field("tool_version", library.settings.tool_version);
  json.field("version", library.version);
  json.field("upload_limit_bytes", library.settings.upload_limit_bytes);
  json.field("can_compare", library.settings.can_compare);
  json.key("reports");
  json.begin_array();
  for (const Report& report : library.reports) write_report(json, report);
  json.end_array();
  json.key("jobs");
  json.begin_array();
  for (const Job& job : library.jobs) write_job(json, job);
  json.end_array();
  json.end_object();
  return out.finish() ? out.text() : std::string();
}

std::string job_json(const Job& job) {
  StringWriter out;
  JsonWriter json(out);
  json.begin_object();
  json.key("job");
  write_job(json, job);
  json.end_object();
  return out.finish() ? out.text() : std::string();
}

}  // namespace ttscope::serve
