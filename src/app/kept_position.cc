#include "app/kept_position.h"

#include <unistd.h>

namespace ttscope::app {

KeptPosition::KeptPosition(const std::string& path)
    : position_(path == "-" ? ::lseek(STDIN_FILENO, 0, SEEK_CUR) : -1) {}

void KeptPosition::restore() const {
  if (position_ >= 0) ::lseek(STDIN_FILENO, position_, SEEK_SET);
}

}  // namespace ttscope::app
