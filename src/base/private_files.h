#pragma once

#include <sys/stat.h>

namespace ttscope {

/// While it lives, new files and folders of the whole process are for its user alone: 0600 and 0700.
class PrivateFiles {
 public:
  PrivateFiles() : before_(umask(S_IRWXG | S_IRWXO)) {}
  ~PrivateFiles() { umask(before_); }
  PrivateFiles(const PrivateFiles&) = delete;
  PrivateFiles& operator=(const PrivateFiles&) = delete;

  /// For programs of the user that are started meanwhile.
  mode_t mask_before() const { return before_; }

 private:
  mode_t before_;
};

}  // namespace ttscope
