#include "mem/read/ttmem_files/padded_text.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

#include "base/file_descriptor.h"
#include "base/utf8.h"

namespace ttscope::mem {
namespace {

Error cannot_read(const std::string& path, int error_number) {
  return bad_input(fmt::format("{}: {}", path, std::strerror(error_number)));
}

}  // namespace

PaddedText::PaddedText(std::string text) {
  const auto owned = std::make_shared<std::string>(std::move(text));
  const std::size_t size_bytes = owned->size();
  owned->resize(size_bytes + kPaddingBytes, '\0');
  text_ = without_byte_order_mark(std::string_view(*owned).substr(0, size_bytes));
  owner_ = owned;
}

Result<std::optional<PaddedText>> PaddedText::open(const std::string& path) {
  const FileDescriptor file(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK));
  if (file.number() < 0) {
    if (errno == ENOENT) return std::optional<PaddedText>();
    return failure(cannot_read(path, errno));
  }
  struct stat facts {};
  if (fstat(file.number(), &facts) != 0) return failure(cannot_read(path, errno));
  if (!S_ISREG(facts.st_mode)) return failure(bad_input(fmt::format("{}: is not a regular file", path)));
  const auto size_bytes = static_cast<std::size_t>(facts.st_size);
  if (size_bytes == 0) return std::optional<PaddedText>(PaddedText(std::string()));
  // Empty pages first, the file over their beginning: what is left of them is the padding.
  const std::size_t whole_bytes = size_bytes + kPaddingBytes;
  void* const pages = mmap(nullptr, whole_bytes, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (pages == MAP_FAILED) return failure(cannot_read(path, errno));
  const std::shared_ptr<const void> owner(
      pages, [whole_bytes](const void* at) { munmap(const_cast<void*>(at), whole_bytes); });
  if (mmap(pages, size_bytes, PROT_READ, MAP_PRIVATE | MAP_FIXED, file.number(), 0) == MAP_FAILED)
    return failure(cannot_read(path, errno));
  return std::optional<PaddedText>(
      PaddedText(without_byte_order_mark({static_cast<const char*>(pages), size_bytes}), owner));
}

}  // namespace ttscope::mem
