#include "io/open_input.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <system_error>
#include <utility>

#include "base/utf8.h"
#include "io/text_encoding.h"

namespace ttscope::io {
namespace {

Error input_problem(const std::string& name, const char* what) {
  return bad_input(name + ": " + what + ": " + std::generic_category().message(errno));
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
  if (S_ISDIR(info.st_mode)) return failure(bad_input(input.name + ": is a folder, not a file"));
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

}  // namespace ttscope::io
