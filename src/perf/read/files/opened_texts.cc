#include "perf/read/files/opened_texts.h"

namespace ttscope::perf {

Result<io::WholeText> OpenedTexts::open(const std::string& path) {
  if (path.empty()) return io::WholeText();
  const auto known = texts_.find(path);
  if (known != texts_.end()) return known->second;
  Result<io::WholeText> text = io::open_whole_text(path);
  if (text) texts_.emplace(path, *text);
  return text;
}

}  // namespace ttscope::perf
