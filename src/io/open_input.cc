#include "io/open_input.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdint>
#include <cstring>
#include <filesystem>
#include <optional>
#include <system_error>
#include <utility>
#include <vector>

#include "base/resources.h"
#include "base/result.h"
#include "base/text.h"

namespace ttscope::io {
namespace {

constexpr std::string_view kLittleEndianMark = "\xFF\xFE";
constexpr std::string_view kBigEndianMark = "\xFE\xFF";

bool is_ascii_text(char c) { return (c >= ' ' && c < 0x7F) || (c >= '\t' && c <= '\r') || c == '\x1B'; }

/// Whether every second byte is zero, from `zero` on, and the others are characters.
bool is_interleaved(std::string_view bytes, std::size_t zero) {
  for (std::size_t at = 0; at + 1 < bytes.size(); at += 2) {
    if (bytes[at + zero] != '\0' || !is_ascii_text(bytes[at + 1 - zero])) return false;
  }
  return true;
}

/// UTF-16 to UTF-8, piece by piece.
class Utf16Text {
 public:
  explicit Utf16Text(bool big_endian) : big_endian_(big_endian) {}

  void add(std::string_view bytes, std::string& to) {
    if (has_odd_byte_ && !bytes.empty()) {
      add_unit(unit_of(odd_byte_, bytes.front()), to);
      bytes.remove_prefix(1);
      has_odd_byte_ = false;
    }
    std::size_t at = 0;
    for (; at + 1 < bytes.size(); at += 2) add_unit(unit_of(bytes[at], bytes[at + 1]), to);
    if (at == bytes.size()) return;
    has_odd_byte_ = true;
    odd_byte_ = bytes[at];
  }
  /// The end of the text.
  void finish(std::string& to) {
    if (high_ != 0 || has_odd_byte_) replace(to);
    high_ = 0;
    has_odd_byte_ = false;
  }
  std::uint64_t replaced() const { return replaced_; }

 private:
  std::uint32_t unit_of(char first, char second) const {
    const auto a = static_cast<std::uint32_t>(static_cast<unsigned char>(first));
    const auto b = static_cast<std::uint32_t>(static_cast<unsigned char>(second));
    return big_endian_ ? a << 8 | b : b << 8 | a;
  }

  void add_unit(std::uint32_t unit, std::string& to) {
    const bool is_low = unit >= 0xDC00 && unit < 0xE000;
    if (high_ != 0 && is_low) {
      put(0x10000 + ((high_ - 0xD800) << 10) + (unit - 0xDC00), to);
      high_ = 0;
      return;
    }
    if (high_ != 0) replace(to);
    high_ = unit >= 0xD800 && unit < 0xDC00 ? unit : 0;
    if (high_ != 0) return;
    if (is_low) return replace(to);
    put(unit, to);
  }

  void replace(std::string& to) {
    ++replaced_;
    put(0xFFFD, to);
  }

  static void put(std::uint32_t character, std::string& to) {
    const auto byte = [&](std::uint32_t lead, std::uint32_t bits) { to += static_cast<char>(lead | bits); };
    if (character < 0x80) return byte(0, character);
    if (character < 0x800) {
      byte(0xC0, character >> 6);
    } else {
      if (character < 0x10000) {
        byte(0xE0, character >> 12);
      } else {
        byte(0xF0, character >> 18);
        byte(0x80, character >> 12 & 0x3F);
      }
      byte(0x80, character >> 6 & 0x3F);
    }
    byte(0x80, character & 0x3F);
  }

  bool big_endian_;
  bool has_odd_byte_ = false;
  char odd_byte_ = 0;
  std::uint32_t high_ = 0;  ///< the first half of a character whose second is still to come
  std::uint64_t replaced_ = 0;
};

/// Looks at the beginning, then hands the bytes through or transcodes them.
class TextReader final : public ByteReader {
 public:
  TextReader(std::unique_ptr<ByteReader> bytes, std::string name)
      : bytes_(std::move(bytes)), name_(std::move(name)) {}

  Result<std::size_t> read(char* to, std::size_t room_bytes) override {
    if (!looked_) {
      RETURN_IF_ERROR(look());
    }
    while (at_ == held_.size()) {
      if (ended_) return 0;
      if (encoding_ == Encoding::kBytes) return bytes_->read(to, room_bytes);
      RETURN_IF_ERROR(fill());
    }
    const std::size_t size_bytes = std::min(room_bytes, held_.size() - at_);
    std::memcpy(to, held_.data() + at_, size_bytes);
    at_ += size_bytes;
    return size_bytes;
  }
  std::uint64_t consumed_bytes() const override { return bytes_->consumed_bytes(); }
  std::string warning() const override {
    std::string warning = bytes_->warning();
    if (!warning.empty() || text_.replaced() == 0) return warning;
    return name_ + ": " + std::to_string(text_.replaced()) +
           " halves of UTF-16 characters without their other half were replaced";
  }

 private:
  Result<void> look() {
    looked_ = true;
    held_.resize(kEncodingBytes);
    std::size_t size_bytes = 0;
    while (size_bytes < held_.size()) {
      const Result<std::size_t> more = bytes_->read(held_.data() + size_bytes, held_.size() - size_bytes);
      if (!more) {
        held_.clear();  // a caller who reads on must not get bytes that were never there
        return failure(more.error());
      }
      if (*more == 0) break;
      size_bytes += *more;
    }
    held_.resize(size_bytes);
    encoding_ = encoding_of(held_);
    if (encoding_ == Encoding::kBytes) {
      at_ = held_.size() - without_byte_order_mark(held_).size();
      return {};
    }
    text_ = Utf16Text(encoding_ == Encoding::kUtf16BigEndian);
    const bool has_byte_order_mark =
        held_.starts_with(kLittleEndianMark) || held_.starts_with(kBigEndianMark);
    const std::string first = held_.substr(has_byte_order_mark ? kLittleEndianMark.size() : 0);
    held_.clear();
    text_.add(first, held_);
    return {};
  }

  Result<void> fill() {
    constexpr std::size_t kBlockBytes = std::size_t{1} << 16;
    block_.resize(kBlockBytes);
    held_.clear();
    at_ = 0;
    ASSIGN_OR_RETURN(const std::size_t size_bytes, bytes_->read(block_.data(), block_.size()));
    text_.add({block_.data(), size_bytes}, held_);
    ended_ = size_bytes == 0;
    if (ended_) text_.finish(held_);
    return {};
  }

  std::unique_ptr<ByteReader> bytes_;
  std::string name_;
  bool looked_ = false;
  bool ended_ = false;  ///< of UTF-16
  Encoding encoding_ = Encoding::kBytes;
  Utf16Text text_{false};
  std::vector<char> block_;
  std::string held_;  ///< what can be given
  std::size_t at_ = 0;
};

/// A byte order mark, with Latin characters for the most part behind it: a log of bytes may begin with
/// anything.
bool is_marked(std::string_view first_bytes, std::string_view mark, std::size_t high_byte) {
  if (!first_bytes.starts_with(mark)) return false;
  const std::string_view text = first_bytes.substr(mark.size(), kEncodingBytes - mark.size());
  std::size_t latin = 0;
  for (std::size_t i = 0; i + 1 < text.size(); i += 2) latin += text[i + high_byte] == '\0' ? 1 : 0;
  return 2 * latin >= text.size() / 2;
}

}  // namespace

Encoding encoding_of(std::string_view first_bytes) {
  constexpr std::size_t kMinBytes = 4;  // less tells nothing
  if (is_marked(first_bytes, kLittleEndianMark, 1)) return Encoding::kUtf16LittleEndian;
  if (is_marked(first_bytes, kBigEndianMark, 0)) return Encoding::kUtf16BigEndian;
  const std::string_view looked_at = first_bytes.substr(0, kEncodingBytes);
  if (looked_at.size() < kMinBytes) return Encoding::kBytes;
  if (is_interleaved(looked_at, 1)) return Encoding::kUtf16LittleEndian;
  return is_interleaved(looked_at, 0) ? Encoding::kUtf16BigEndian : Encoding::kBytes;
}

std::unique_ptr<ByteReader> make_text_reader(std::unique_ptr<ByteReader> bytes, std::string name) {
  return std::make_unique<TextReader>(std::move(bytes), std::move(name));
}

namespace {

Error input_problem(const std::string& name, const char* what) {
  return bad_input(terminal_safe(name) + ": " + what + ": " + std::generic_category().message(errno));
}

FileDescriptor open_for_reading(const std::string& path) {
  if (path == "-") return FileDescriptor(::fcntl(STDIN_FILENO, F_DUPFD_CLOEXEC, 0));
  int number = -1;
  do {
    number = ::open(path.c_str(), O_RDONLY | O_NOCTTY | O_CLOEXEC);
  } while (number < 0 && errno == EINTR);
  return FileDescriptor(number);
}

}  // namespace

Result<OpenInput> open_input(const std::string& path) {
  OpenInput input;
  input.name = path == "-" ? "standard input" : path;
  input.file = open_for_reading(path);
  if (!input.file.is_open()) return failure(input_problem(input.name, "cannot open"));
  struct stat info {};
  if (::fstat(input.file.number(), &info) != 0) return failure(input_problem(input.name, "cannot read"));
  if (S_ISDIR(info.st_mode))
    return failure(bad_input(terminal_safe(input.name) + ": is a folder, not a file"));
  // Files of /proc are regular and say that they are empty: only reading shows what is in them.
  input.regular = S_ISREG(info.st_mode) && info.st_size > 0;
  if (!input.regular) return input;
  const off_t position = std::max<off_t>(::lseek(input.file.number(), 0, SEEK_CUR), 0);
  input.start = static_cast<std::uint64_t>(std::min(position, info.st_size));
  input.size_bytes = static_cast<std::uint64_t>(info.st_size) - input.start;
  return input;
}

bool is_plain_text(std::string_view first_bytes) {
  return compression_of(first_bytes) == Compression::kNone && encoding_of(first_bytes) == Encoding::kBytes;
}

Result<std::optional<std::uint64_t>> plain_text_start(const OpenInput& input) {
  if (!input.regular) return std::nullopt;
  std::array<char, kEncodingBytes> first;
  const ssize_t size_bytes =
      ::pread(input.file.number(), first.data(), first.size(), static_cast<off_t>(input.start));
  if (size_bytes < 0) return failure(input_problem(input.name, "cannot read"));
  const std::string_view text(first.data(), static_cast<std::size_t>(size_bytes));
  if (!is_plain_text(text)) return std::nullopt;
  return input.start + (text.size() - without_byte_order_mark(text).size());
}

Result<std::unique_ptr<ByteReader>> open_byte_reader(OpenInput input) {
  InputBuffer buffer(std::move(input.file), input.name);
  while (buffer.rest().size() < kMagicBytes && buffer.read_more()) {
  }
  if (buffer.error()) return failure(*buffer.error());
  const Compression compression = compression_of(buffer.rest());
  return make_text_reader(make_byte_reader(compression, std::move(buffer)), input.name);
}

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
  return bad_input(terminal_safe(name) + ": cannot unpack it into a temporary file: " +
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
    ASSIGN_OR_RETURN(const std::size_t size, reader.read(block.data(), block.size()));
    if (size == 0) return file;
    if (written >= kUnheldBytes && room_for(file.number(), written) < size)
      return failure(no_room(name, written));
    if (!write_all(file.number(), {block.data(), size})) return failure(unpack_problem(name));
    written += size;
  }
}

Result<WholeText> unpack(OpenInput input) {
  const std::string name = input.name;
  ASSIGN_OR_RETURN(UnpackedFile unpacked, unpack_to_file(std::move(input)));
  auto mapped = MappedFile::map(unpacked.file.number(), name);
  if (!mapped) return failure(mapped.error());
  return WholeText{std::move(*mapped), 0, true, std::move(unpacked.warning)};
}

}  // namespace

Result<UnpackedFile> unpack_to_file(OpenInput input) {
  const std::string name = input.name;
  auto reader = open_byte_reader(std::move(input));
  if (!reader) return failure(reader.error());
  ASSIGN_OR_RETURN(FileDescriptor file, copied(**reader, name));
  return UnpackedFile{std::move(file), (*reader)->warning()};
}

Result<WholeText> open_whole_text(const std::string& path) {
  auto input = open_input(path);
  if (!input) return failure(input.error());
  ASSIGN_OR_RETURN(const std::optional<std::uint64_t> start, plain_text_start(*input));
  if (!start) return unpack(std::move(*input));
  auto mapped = MappedFile::map(input->file.number(), input->name);
  if (!mapped) return unpack(std::move(*input));  // some file systems cannot map
  return WholeText{std::move(*mapped), static_cast<std::size_t>(*start), false, {}};
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
