#include "base/output_path.h"

#include <sys/stat.h>

namespace ttscope {

Result<void> check_output_path(const std::string& path) {
  std::string plain = path;
  while (plain.size() > 1 && plain.back() == '/') plain.pop_back();
  struct stat facts {};
  if (lstat(plain.c_str(), &facts) != 0 || !S_ISLNK(facts.st_mode)) return {};
  const std::size_t slash = plain.rfind('/');
  const std::string folder = slash == std::string::npos ? "." : plain.substr(0, slash + 1);
  if (stat(folder.c_str(), &facts) != 0 || (facts.st_mode & S_IWOTH) == 0) return {};
  return failure(
      write_failed(path + ": cannot write: it is a symbolic link in a folder that everybody can write to; "
                          "give the path that it leads to"));
}

}  // namespace ttscope
