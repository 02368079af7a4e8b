#include "serve/handed_files.h"

#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <system_error>
#include <utility>

namespace ttscope::serve {
namespace {

Error problem(const std::string& what) {
  return bad_input(fmt::format("{}: cannot be given to the profiler: {}", what, std::strerror(errno)));
}

}  // namespace

Result<HandedFiles> HandedFiles::make() {
  HandedFiles handed;
  std::error_code error;
  std::filesystem::path base = std::filesystem::temp_directory_path(error);
  if (error) base = "/tmp";
  // mkdtemp makes a folder of mode 0700, and nobody else can rename it where the sticky bit is set.
  std::string folder = (std::filesystem::absolute(base, error) / "ttscope-serve-XXXXXX").string();
  if (mkdtemp(folder.data()) == nullptr) return failure(problem("the log"));
  handed.folder_ = folder;
  return handed;
}

Result<void> HandedFiles::add(FileDescriptor file, const std::string& path) {
  const std::string whole = folder_ + "/" + path;
  if (const std::size_t slash = path.find('/'); slash != std::string::npos)
    (void)mkdir((folder_ + "/" + path.substr(0, slash)).c_str(), S_IRWXU);
  if (symlink(fmt::format("/proc/self/fd/{}", file.number()).c_str(), whole.c_str()) != 0)
    return failure(problem(path));
  files_.push_back(std::move(file));
  paths_.push_back(path);
  return {};
}

std::vector<int> HandedFiles::descriptors() const {
  std::vector<int> numbers;
  for (const FileDescriptor& file : files_) numbers.push_back(file.number());
  return numbers;
}

HandedFiles::HandedFiles(HandedFiles&& other) noexcept
    : files_(std::move(other.files_)),
      folder_(std::exchange(other.folder_, {})),
      paths_(std::exchange(other.paths_, {})) {}

HandedFiles::~HandedFiles() {
  std::error_code ignored;
  if (!folder_.empty()) std::filesystem::remove_all(folder_, ignored);
}

}  // namespace ttscope::serve
