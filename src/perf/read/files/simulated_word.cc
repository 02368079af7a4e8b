#include "perf/read/files/simulated_word.h"

#include <fmt/format.h>

#include <filesystem>
#include <fstream>
#include <string_view>
#include <system_error>

#include "perf/model/capture_files.h"

namespace ttscope::perf {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kReportStem = "ops_perf_results";

bool is_report_name(std::string_view name) {
  return name.starts_with(kReportStem) && name.find(".csv") != std::string_view::npos;
}

std::string name_of(const std::string& path) { return fs::path(path).filename().string(); }

std::size_t other_reports_beside(const std::string& report) {
  std::size_t count = 0;
  std::error_code ignored;
  const fs::path folder = fs::path(report).parent_path();
  for (fs::directory_iterator at(folder.empty() ? fs::path(".") : folder,
                                 fs::directory_options::skip_permission_denied, ignored),
       end;
       !ignored && at != end; at.increment(ignored)) {
    const std::string name = at->path().filename().string();
    if (is_report_name(name) && name != name_of(report)) ++count;
  }
  return count;
}

/// The report that a word is of; empty: it is that of a run.
std::string report_named_in(const std::string& word) {
  std::ifstream file(word, std::ios::binary);
  std::string first(1000, '\0');
  file.read(first.data(), static_cast<std::streamsize>(first.size()));
  first.resize(static_cast<std::size_t>(file.gcount()));
  const std::size_t colon = first.find(": ");
  return colon != std::string::npos && is_report_name(first) ? first.substr(0, colon) : std::string();
}

}  // namespace

std::string simulated_word_of_report(const std::string& report) {
  const std::string name = name_of(report);
  if (!is_report_name(name)) return {};
  const std::string_view word(kSimulatedChips);
  const std::size_t dot = word.find('.');
  return (fs::path(report).parent_path() /
          (std::string(word.substr(0, dot)) +
           name.substr(kReportStem.size(), name.find(".csv") - kReportStem.size()) +
           std::string(word.substr(dot))))
      .string();
}

std::string simulated_word_text(const std::string& report) {
  return fmt::format("{}: the chips of its run were simulated, times of devices are modelled\n",
                     name_of(report));
}

bool is_word_of_report(const std::string& word, const std::string& report) {
  return report_named_in(word) == name_of(report);
}

std::string find_simulated_word(const std::string& report) {
  if (report == "-") return {};
  std::error_code ignored;
  std::string own = simulated_word_of_report(report);
  if (!own.empty() && fs::exists(own, ignored) && is_word_of_report(own, report)) return own;
  return other_reports_beside(report) == 0 ? simulated_word_beside(report) : std::string();
}

std::string simulated_word_beside(const std::string& file) {
  if (file.empty() || file == "-") return {};
  const std::string word = (fs::path(file).parent_path() / kSimulatedChips).string();
  std::error_code ignored;
  return fs::exists(word, ignored) && report_named_in(word).empty() ? word : std::string();
}

}  // namespace ttscope::perf
