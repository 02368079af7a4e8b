#include "cli/menu/ui.h"

#include <cstdlib>
#include <filesystem>

namespace ttscope::cli {

std::string home_folder() {
  const char* home = std::getenv("HOME");
  return home == nullptr ? std::string() : std::string(home);
}

bool is_back_word(const std::string& answer) { return answer == "q" || answer == "Q"; }

bool means_back(const std::string& answer) {
  std::error_code ignored;
  return is_back_word(answer) && !std::filesystem::exists(answer, ignored);
}

}  // namespace ttscope::cli
