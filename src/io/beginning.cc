#include "io/beginning.h"

#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <memory>
#include <system_error>
#include <utility>

#include "io/open_input.h"

namespace ttscope::io {
namespace {

namespace fs = std::filesystem;

/// A report of a large machine begins with more than 100 KB about its chips.
constexpr std::size_t kLookedAtBytes = std::size_t{1} << 20;
constexpr std::size_t kMostNames = 10000;

Packing packing_of(std::string_view stored) {
  using namespace std::string_view_literals;
  if (stored.starts_with("\xFD"
                         "7zXZ\0"sv)) {
    return Packing::kXz;
  }
  const bool is_bzip2 =
      stored.size() > 3 && stored.starts_with("BZh") && stored[3] >= '1' && stored[3] <= '9';
  if (is_bzip2 && stored.substr(4).starts_with("\x31\x41\x59\x26\x53\x59")) return Packing::kBzip2;
  switch (compression_of(stored)) {
    case Compression::kGzip:
      return Packing::kGzip;
    case Compression::kZstd:
      return Packing::kZstd;
    case Compression::kNone:
      break;
  }
  return Packing::kNone;
}

/// With a byte-order mark, or Latin letters with zeros between them.
Encoding encoding_of(std::string_view bytes) {
  if (bytes.starts_with("\xFF\xFE")) return Encoding::kUtf16LittleEndian;
  if (bytes.starts_with("\xFE\xFF")) return Encoding::kUtf16BigEndian;
  constexpr std::size_t kLettersLookedAt = 16;
  if (bytes.size() < 2 * kLettersLookedAt) return Encoding::kUtf8;
  bool zeros_behind = true;
  bool zeros_before = true;
  for (std::size_t i = 0; i < 2 * kLettersLookedAt; i += 2) {
    zeros_behind = zeros_behind && bytes[i] != '\0' && bytes[i + 1] == '\0';
    zeros_before = zeros_before && bytes[i] == '\0' && bytes[i + 1] != '\0';
  }
  if (zeros_behind) return Encoding::kUtf16LittleEndian;
  return zeros_before ? Encoding::kUtf16BigEndian : Encoding::kUtf8;
}

/// Only ASCII is looked for; everything else becomes a question mark.
std::string ascii_of_utf16(std::string_view bytes, Encoding encoding) {
  const std::size_t low = encoding == Encoding::kUtf16LittleEndian ? 0 : 1;
  std::string text;
  text.reserve(bytes.size() / 2);
  for (std::size_t i = 0; i + 1 < bytes.size(); i += 2) {
    const bool is_ascii = bytes[i + 1 - low] == '\0' && static_cast<unsigned char>(bytes[i + low]) < 0x80;
    const bool is_mark = i == 0 && !is_ascii;
    if (!is_mark) text += is_ascii ? bytes[i + low] : '?';
  }
  return text;
}

void decode(Beginning& beginning) {
  beginning.encoding = encoding_of(beginning.bytes);
  if (beginning.encoding != Encoding::kUtf8) {
    beginning.bytes = ascii_of_utf16(beginning.bytes, beginning.encoding);
  } else if (beginning.bytes.starts_with("\xEF\xBB\xBF")) {
    beginning.bytes.erase(0, 3);
  }
}

/// The first bytes that the reader gives; damage behind them does not matter here.
Result<void> fill(ByteReader& reader, Beginning& beginning) {
  std::size_t filled = 0;
  beginning.bytes.resize(kLookedAtBytes);
  while (filled < kLookedAtBytes) {
    const Result<std::size_t> size = reader.read(beginning.bytes.data() + filled, kLookedAtBytes - filled);
    if (!size && filled == 0) return failure(size.error());
    beginning.is_whole = size && *size == 0;
    if (!size || *size == 0) break;
    filled += *size;
  }
  beginning.bytes.resize(filled);
  return {};
}

/// The first bytes as they are stored.
std::string stored_start(const OpenInput& input) {
  constexpr std::size_t kLongestMagic = 16;
  std::string bytes(kLongestMagic, '\0');
  const ssize_t size =
      ::pread(input.file.number(), bytes.data(), bytes.size(), static_cast<off_t>(input.start));
  bytes.resize(size < 0 ? 0 : static_cast<std::size_t>(size));
  return bytes;
}

void list_names(Beginning& beginning) {
  std::error_code error;
  for (fs::directory_iterator at(beginning.path, fs::directory_options::skip_permission_denied, error), end;
       !error && at != end && beginning.names.size() < kMostNames; at.increment(error)) {
    beginning.names.push_back(at->path().filename().string());
  }
  std::sort(beginning.names.begin(), beginning.names.end());
}

}  // namespace

std::string_view Beginning::text() const {
  const std::size_t start = bytes.find_first_not_of(" \t\r\n");
  return start == std::string::npos ? std::string_view() : std::string_view(bytes).substr(start);
}

bool Beginning::is_binary() const { return bytes.find('\0') != std::string::npos; }

Result<Beginning> read_beginning(const std::string& path) {
  Beginning beginning;
  beginning.path = path;
  std::error_code error;
  if (path != "-" && fs::is_directory(path, error)) {
    beginning.place = Place::kFolder;
    list_names(beginning);
    return beginning;
  }
  Result<OpenInput> input = open_input(path);
  if (!input) return failure(input.error());
  if (!input->regular) {
    beginning.place = path != "-" && fs::is_regular_file(path, error) ? Place::kFile : Place::kStream;
    beginning.is_whole = beginning.place == Place::kFile;
    return beginning;
  }
  beginning.packing = packing_of(stored_start(*input));
  Result<std::unique_ptr<ByteReader>> reader = open_byte_reader(std::move(*input));
  if (!reader) return failure(reader.error());
  if (const Result<void> filled = fill(**reader, beginning); !filled) return failure(filled.error());
  decode(beginning);
  return beginning;
}

Beginning beginning_of(std::string path, std::string_view stored) {
  Beginning beginning;
  beginning.path = std::move(path);
  beginning.packing = packing_of(stored);
  beginning.bytes = std::string(stored.substr(0, kLookedAtBytes));
  beginning.is_whole = stored.size() <= kLookedAtBytes;
  decode(beginning);
  return beginning;
}

}  // namespace ttscope::io
