#include "io/beginning.h"

#include <sys/stat.h>

#include <algorithm>
#include <filesystem>
#include <memory>
#include <system_error>
#include <utility>

#include "io/open_input.h"

namespace ttscope::io {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kMostNames = 10000;

/// The first bytes that the reader gives; damage behind them does not matter here.
Result<void> fill(ByteReader& reader, Beginning& beginning) {
  std::size_t filled = 0;
  beginning.bytes.resize(kBeginningBytes);
  while (filled < kBeginningBytes) {
    const Result<std::size_t> size = reader.read(beginning.bytes.data() + filled, kBeginningBytes - filled);
    if (!size && filled == 0) return failure(size.error());
    beginning.is_whole = size && *size == 0;
    if (!size || *size == 0) break;
    filled += *size;
  }
  beginning.bytes.resize(filled);
  return {};
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

Beginning beginning_of(std::string path, std::string_view whole) {
  Beginning beginning;
  beginning.path = std::move(path);
  beginning.bytes = whole.substr(0, kBeginningBytes);
  beginning.is_whole = whole.size() <= kBeginningBytes;
  return beginning;
}

Result<Beginning> read_beginning(const std::string& path) {
  Beginning beginning;
  beginning.path = path;
  std::error_code error;
  if (path != "-" && fs::is_directory(path, error)) {
    beginning.path_kind = PathKind::kFolder;
    list_names(beginning);
    return beginning;
  }
  Result<OpenInput> input = open_input(path);
  if (!input) return failure(input.error());
  if (!input->regular) {
    // An empty file, also where a pipe that ended without a byte is kept as one.
    struct stat facts {};
    beginning.is_whole = ::fstat(input->file.number(), &facts) == 0 && S_ISREG(facts.st_mode);
    beginning.path_kind = beginning.is_whole ? PathKind::kFile : PathKind::kStream;
    return beginning;
  }
  Result<std::unique_ptr<ByteReader>> reader = open_byte_reader(std::move(*input));
  if (!reader) return failure(reader.error());
  if (const Result<void> filled = fill(**reader, beginning); !filled) return failure(filled.error());
  beginning.warning = (*reader)->warning();
  return beginning;
}

}  // namespace ttscope::io
