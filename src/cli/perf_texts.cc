#include "cli/perf_texts.h"

namespace ttscope::cli {

Result<input::WholeText> PerfTexts::open(const std::string& path) {
  if (path.empty()) return input::WholeText();
  const auto known = texts_.find(path);
  if (known != texts_.end()) return known->second;
  Result<input::WholeText> text = input::open_whole_text(path);
  if (text) texts_.emplace(path, *text);
  return text;
}

}  // namespace ttscope::cli
