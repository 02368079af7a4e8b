#include "perf/read/files/simulated_word.h"

#include <filesystem>
#include <string_view>
#include <system_error>

#include "perf/model/capture_files.h"

namespace ttscope::perf {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kReportStem = "ops_perf_results";

std::size_t reports_in(const fs::path& folder) {
  std::size_t count = 0;
  std::error_code ignored;
  const fs::path all = folder.empty() ? fs::path(".") : folder;
  for (fs::directory_iterator at(all, fs::directory_options::skip_permission_denied, ignored), end;
       !ignored && at != end; at.increment(ignored))
    if (at->path().filename().string().starts_with(kReportStem)) ++count;
  return count;
}

}  // namespace

std::string simulated_word_of_report(const std::string& report) {
  const fs::path path(report);
  const std::string name = path.filename().string();
  if (!name.starts_with(kReportStem)) return {};
  const std::size_t end = name.find(".csv");
  if (end == std::string::npos) return {};
  const std::string_view word(kSimulatedChips);
  const std::size_t dot = word.find('.');
  return (path.parent_path() /
          (std::string(word.substr(0, dot)) + name.substr(kReportStem.size(), end - kReportStem.size()) +
           std::string(word.substr(dot))))
      .string();
}

std::string find_simulated_word(const std::string& report) {
  if (report == "-") return {};
  std::error_code ignored;
  std::string own = simulated_word_of_report(report);
  if (!own.empty() && fs::exists(own, ignored)) return own;
  std::string of_run = simulated_word_beside(report);
  return reports_in(fs::path(report).parent_path()) <= 1 ? of_run : std::string();
}

std::string simulated_word_beside(const std::string& file) {
  if (file.empty() || file == "-") return {};
  const std::string word = (fs::path(file).parent_path() / kSimulatedChips).string();
  std::error_code ignored;
  return fs::exists(word, ignored) ? word : std::string();
}

}  // namespace ttscope::perf
