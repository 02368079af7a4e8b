#include "io/whole_text.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/mman.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <system_error>
#include <utility>
#include <vector>

#include "base/usable_memory.h"

namespace ttscope::io {
namespace {

/// A file without a name where temporary files go; in memory where there is no such place.
FileDescriptor make_unnamed_file() {
  std::error_code none;
  const std::string folder = std::filesystem::temp_directory_path(none).string();
  if (!none) {
    FileDescriptor file(::open(folder.c_str(), O_TMPFILE | O_RDWR | O_CLOEXEC | O_EXCL, 0600));
    if (file.is_open()) return file;
    std::string name = folder + "/ttscope-XXXXXX";  // some file systems know no unnamed files
    file = FileDescriptor(::mkostemp(name.data(), O_CLOEXEC));
    if (file.is_open()) {
      ::unlink(name.c_str());
      return file;
    }
  }
  return FileDescriptor(::memfd_create("ttscope", MFD_CLOEXEC));
}

/// Small files are unpacked in any case: a disk that has no room for them says so itself.
constexpr std::uint64_t kUnheldBytes = std::uint64_t{64} << 20;

/// How much of the place may be filled: a twentieth of it stays free, at most 1 GB. A file in memory may take
/// half of what this process can have.
std::uint64_t room_for(int file, std::uint64_t written_bytes) {
  constexpr std::uint64_t kMostReserve = std::uint64_t{1} << 30;
  constexpr std::uint64_t kReservedPart = 20;
  struct statvfs place {};
  if (::fstatvfs(file, &place) != 0 || place.f_blocks == 0) {
    const std::uint64_t most = usable_memory_bytes() / 2;
    return most > written_bytes ? most - written_bytes : 0;
  }
  const std::uint64_t free_bytes = std::uint64_t{place.f_bavail} * place.f_frsize;
  const std::uint64_t all_bytes = std::uint64_t{place.f_blocks} * place.f_frsize;
  const std::uint64_t reserve = std::min(kMostReserve, all_bytes / kReservedPart);
  return free_bytes > reserve ? free_bytes - reserve : 0;
}

Error no_room(const std::string& name, std::uint64_t written_bytes) {
  std::error_code none;
  return bad_input(
      fmt::format("{}: unpacking it was given up after {} MB: it would fill {}, where some room is kept for "
                  "others (TMPDIR names another place)",
                  name, written_bytes >> 20, std::filesystem::temp_directory_path(none).string()));
}

bool write_all(int file, std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t written = ::write(file, bytes.data(), bytes.size());
    if (written < 0 && errno == EINTR) continue;
    if (written <= 0) return false;
    bytes.remove_prefix(static_cast<std::size_t>(written));
  }
  return true;
}

Error unpack_problem(const std::string& name) {
  return bad_input(name + ": cannot unpack it into a temporary file: " +
                   std::generic_category().message(errno) + " (TMPDIR names another place)");
}

/// All that the reader gives, in a file without a name.
Result<FileDescriptor> copied(ByteReader& reader, const std::string& name) {
  FileDescriptor file = make_unnamed_file();
  if (!file.is_open()) return failure(unpack_problem(name));
  constexpr std::size_t kBlockBytes = std::size_t{1} << 20;
  std::vector<char> block(kBlockBytes);
  std::uint64_t written = 0;
  while (true) {
    const Result<std::size_t> size = reader.read(block.data(), block.size());
    if (!size) return failure(size.error());
    if (*size == 0) return file;
    if (written >= kUnheldBytes && room_for(file.number(), written) < *size)
      return failure(no_room(name, written));
    if (!write_all(file.number(), {block.data(), *size})) return failure(unpack_problem(name));
    written += *size;
  }
}

Result<WholeText> unpack(OpenInput input) {
  const std::string name = input.name;
  Result<UnpackedFile> unpacked = unpack_to_file(std::move(input));
  if (!unpacked) return failure(unpacked.error());
  auto mapped = MappedFile::map(unpacked->file.number(), name);
  if (!mapped) return failure(mapped.error());
  return WholeText{std::move(*mapped), 0, true, std::move(unpacked->warning)};
}

}  // namespace

Result<UnpackedFile> unpack_to_file(OpenInput input) {
  const std::string name = input.name;
  auto reader = open_byte_reader(std::move(input));
  if (!reader) return failure(reader.error());
  Result<FileDescriptor> file = copied(**reader, name);
  if (!file) return failure(file.error());
  return UnpackedFile{std::move(*file), (*reader)->warning()};
}

Result<WholeText> open_whole_text(const std::string& path) {
  auto input = open_input(path);
  if (!input) return failure(input.error());
  const Result<std::optional<std::uint64_t>> start = plain_text_start(*input);
  if (!start) return failure(start.error());
  if (!*start) return unpack(std::move(*input));
  auto mapped = MappedFile::map(input->file.number(), input->name);
  if (!mapped) return unpack(std::move(*input));  // some file systems cannot map
  return WholeText{std::move(*mapped), static_cast<std::size_t>(**start), false, {}};
}

Result<FileDescriptor> keep_stream(const std::string& path) {
  auto input = open_input(path);
  if (!input) return failure(input.error());
  const std::string name = input->name;
  const auto reader = make_byte_reader(Compression::kNone, InputBuffer(std::move(input->file), name));
  Result<FileDescriptor> file = copied(*reader, name);
  if (file) ::lseek(file->number(), 0, SEEK_SET);
  return file;
}

}  // namespace ttscope::io
