#include "base/mapped_file.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>

#include <cerrno>
#include <system_error>

#include "base/file_descriptor.h"
#include "base/lost_pages.h"

namespace ttscope {
namespace {

Error problem(const std::string& name, const char* what, int error_number) {
  return bad_input(name + ": " + what + ": " + std::generic_category().message(error_number));
}

}  // namespace

Result<std::shared_ptr<const MappedFile>> MappedFile::open(const std::string& path) {
  const FileDescriptor file(::open(path.c_str(), O_RDONLY | O_CLOEXEC));
  if (!file.is_open()) return failure(problem(path, "cannot open", errno));
  return map(file.number(), path);
}

Result<std::shared_ptr<const MappedFile>> MappedFile::map(int descriptor, const std::string& name) {
  struct stat info {};
  if (::fstat(descriptor, &info) != 0) return failure(problem(name, "cannot read", errno));
  if (!S_ISREG(info.st_mode)) return failure(bad_input(name + ": not a regular file"));
  const auto size_bytes = static_cast<std::size_t>(info.st_size);
  if (size_bytes == 0) {  // an empty file cannot be mapped
    return std::make_shared<const MappedFile>(nullptr, std::size_t{0});
  }
  void* data = ::mmap(nullptr, size_bytes, PROT_READ, MAP_PRIVATE, descriptor, 0);
  if (data == MAP_FAILED) return failure(problem(name, "cannot map", errno));
  ::madvise(data, size_bytes, MADV_SEQUENTIAL);
  watch_mapping(data, size_bytes);
  return std::make_shared<const MappedFile>(static_cast<const char*>(data), size_bytes);
}

MappedFile::~MappedFile() {
  if (data_ == nullptr) return;
  forget_mapping(data_);  // before the addresses are somebody else's
  ::munmap(const_cast<char*>(data_), size_bytes_);
}

}  // namespace ttscope
