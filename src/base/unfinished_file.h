#pragma once

#include <string>

namespace ttscope {

/// While it lives, remove_unfinished_files() (writer.h) deletes the file at `path`. It does not delete the
/// file itself.
class UnfinishedFile {
 public:
  explicit UnfinishedFile(const std::string& path);
  ~UnfinishedFile();
  UnfinishedFile(const UnfinishedFile&) = delete;
  UnfinishedFile& operator=(const UnfinishedFile&) = delete;

 private:
  int slot_ = -1;  ///< -1: the table is full
};

}  // namespace ttscope
