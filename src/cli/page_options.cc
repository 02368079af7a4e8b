#include "cli/page_options.h"

#include <fmt/chrono.h>

#include <algorithm>
#include <chrono>
#include <thread>

#include "cli/version.h"
#include "mem/fit.h"

namespace ttscope::cli {

mem::MemPageOptions page_options(const std::string& name) {
  constexpr unsigned kMostThreads = 8;
  const std::time_t now = std::chrono::system_clock::to_time_t(std::chrono::system_clock::now());
  mem::MemPageOptions options;
  options.name = name;
  options.tool_version = version_text();
  options.generated = fmt::format("{:%Y-%m-%dT%H:%M:%SZ}", fmt::gmtime(now));
  options.threads = std::clamp(std::thread::hardware_concurrency(), 1U, kMostThreads);
  return options;
}

mem::MemPageOptions page_options(const std::string& name, const mem::Profile& profile) {
  mem::MemPageOptions options = page_options(name);
  options.fit = mem::fit_for_page(profile);
  return options;
}

}  // namespace ttscope::cli
