#include "cli/environment.h"

#include <unistd.h>

namespace ttscope::cli {

std::vector<std::string> own_environment() {
  std::vector<std::string> environment;
  for (char** entry = environ; entry != nullptr && *entry != nullptr; ++entry)
    environment.emplace_back(*entry);
  return environment;
}

}  // namespace ttscope::cli
