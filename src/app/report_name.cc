#include "app/report_name.h"

#include <algorithm>
#include <filesystem>

#include "base/packed_name.h"
#include "base/text_escape.h"

namespace ttscope::app {
namespace {

bool take_suffix(std::string& text, std::string_view suffix) {
  if (text.size() < suffix.size() || text.compare(text.size() - suffix.size(), suffix.size(), suffix) != 0)
    return false;
  text.resize(text.size() - suffix.size());
  return true;
}

}  // namespace

std::string report_name(const std::string& log_path) {
  if (log_path == "-") return "stdin";
  std::string name(unpacked_name(std::filesystem::path(log_path).filename().string()));
  const std::size_t dot = name.rfind('.');
  if (dot != std::string::npos && dot != 0) name.resize(dot);
  take_suffix(name, "_profile");
  std::replace(name.begin(), name.end(), '_', '-');
  return file_name_safe(name);
}

bool is_plain_name(const std::string& name) { return !name.empty() && file_name_safe(name) == name; }

}  // namespace ttscope::app
