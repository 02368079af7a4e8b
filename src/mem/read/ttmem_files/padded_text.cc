#include "mem/read/ttmem_files/padded_text.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdint>
#include <cstring>
#include <utility>

#include "base/packed_name.h"
#include "base/utf8.h"
#include "io/open_input.h"
#include "io/whole_text.h"

namespace ttscope::mem {
namespace {

Error cannot_read(const std::string& path, int error_number) {
  return bad_input(fmt::format("{}: {}", path, std::strerror(error_number)));
}

/// The same file where its bytes are the text, else one with what is unpacked of it or made UTF-8.
Result<io::UnpackedFile> plain_file(FileDescriptor file, const std::string& path) {
  io::OpenInput input;
  input.file = std::move(file);
  input.name = path;
  input.regular = true;
  const Result<std::optional<std::uint64_t>> start = io::plain_text_start(input);
  if (!start) return failure(start.error());
  if (*start) return io::UnpackedFile{std::move(input.file), {}};
  return io::unpack_to_file(std::move(input));
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
  Result<std::optional<PaddedText>> text = open_as_named(path);
  for (const std::string_view end : kPackedEnds) {
    if (!text || text->has_value()) break;
    text = open_as_named(path + std::string(end));
    if (text && text->has_value()) (*text)->packed_end_ = end;
  }
  return text;
}

Result<std::optional<PaddedText>> PaddedText::open_as_named(const std::string& path) {
  FileDescriptor file(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK));
  if (file.number() < 0) {
    if (errno == ENOENT) return std::optional<PaddedText>();
    return failure(cannot_read(path, errno));
  }
  struct stat facts {};
  if (fstat(file.number(), &facts) != 0) return failure(cannot_read(path, errno));
  if (!S_ISREG(facts.st_mode)) return failure(bad_input(fmt::format("{}: is not a regular file", path)));
  Result<io::UnpackedFile> plain = plain_file(std::move(file), path);
  if (!plain) return failure(plain.error());
  Result<PaddedText> text = map(plain->file, path);
  if (!text) return failure(text.error());
  text->warning_ = std::move(plain->warning);
  return std::optional<PaddedText>(std::move(*text));
}

Result<PaddedText> PaddedText::map(const FileDescriptor& file, const std::string& path) {
  struct stat facts {};
  if (fstat(file.number(), &facts) != 0) return failure(cannot_read(path, errno));
  const auto size_bytes = static_cast<std::size_t>(facts.st_size);
  if (size_bytes == 0) return PaddedText(std::string());
  // Empty pages first, the file over their beginning: what is left of them is the padding.
  const std::size_t whole_bytes = size_bytes + kPaddingBytes;
  void* const pages = mmap(nullptr, whole_bytes, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (pages == MAP_FAILED) return failure(cannot_read(path, errno));
  const std::shared_ptr<const void> owner(
      pages, [whole_bytes](const void* at) { munmap(const_cast<void*>(at), whole_bytes); });
  if (mmap(pages, size_bytes, PROT_READ, MAP_PRIVATE | MAP_FIXED, file.number(), 0) == MAP_FAILED)
    return failure(cannot_read(path, errno));
  return PaddedText(without_byte_order_mark({static_cast<const char*>(pages), size_bytes}), owner);
}

}  // namespace ttscope::mem
