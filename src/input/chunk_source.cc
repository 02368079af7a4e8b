#include "input/chunk_source.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <system_error>
#include <utility>

#include "base/file_descriptor.h"
#include "base/mapped_file.h"
#include "input/byte_reader.h"
#include "input/mapped_source.h"
#include "input/stream_source.h"

namespace ttscope::input {
namespace {

struct OpenInput {
  FileDescriptor file;
  std::string name;              ///< what messages call it
  std::uint64_t size_bytes = 0;  ///< 0 if unknown
  std::uint64_t start = 0;       ///< where in a regular file the reading starts
  bool regular = false;
};

Error problem(const std::string& name, const char* what) {
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

Result<OpenInput> open_input(const std::string& path) {
  OpenInput input;
  input.name = path == "-" ? "standard input" : path;
  input.file = open_for_reading(path);
  if (!input.file.is_open()) return failure(problem(input.name, "cannot open"));
  struct stat info {};
  if (::fstat(input.file.number(), &info) != 0) return failure(problem(input.name, "cannot read"));
  if (S_ISDIR(info.st_mode)) return failure(bad_input(input.name + ": is a folder, not a log"));
  // Files of /proc are regular and say that they are empty: only reading shows what is in them.
  input.regular = S_ISREG(info.st_mode) && info.st_size > 0;
  if (!input.regular) return input;
  const off_t position = std::max<off_t>(::lseek(input.file.number(), 0, SEEK_CUR), 0);
  input.start = static_cast<std::uint64_t>(std::min(position, info.st_size));
  input.size_bytes = static_cast<std::uint64_t>(info.st_size) - input.start;
  return input;
}

Result<Compression> compression_of_file(const OpenInput& input) {
  std::array<char, kMagicBytes> first;
  const ssize_t size_bytes =
      ::pread(input.file.number(), first.data(), first.size(), static_cast<off_t>(input.start));
  if (size_bytes < 0) return failure(problem(input.name, "cannot read"));
  return compression_of({first.data(), static_cast<std::size_t>(size_bytes)});
}

Result<std::unique_ptr<ChunkSource>> open_stream(OpenInput input, const SourceOptions& options) {
  InputBuffer buffer(std::move(input.file), input.name);
  while (buffer.rest().size() < kMagicBytes && buffer.read_more()) {
  }
  if (buffer.error()) return failure(*buffer.error());
  const Compression compression = compression_of(buffer.rest());
  return make_stream_source(make_byte_reader(compression, std::move(buffer)), input.size_bytes, options);
}

/// A chunk of many lines must not hold one over the limit; a chunk of nothing would never end.
SourceOptions sane(SourceOptions options) {
  options.line_limit_bytes = std::max<std::size_t>(options.line_limit_bytes, 1);
  options.chunk_bytes = std::clamp<std::size_t>(options.chunk_bytes, 1, options.line_limit_bytes);
  return options;
}

}  // namespace

Result<std::unique_ptr<ChunkSource>> open_source(const std::string& path, const SourceOptions& options) {
  auto input = open_input(path);
  if (!input) return failure(input.error());
  if (!input->regular) return open_stream(std::move(*input), sane(options));
  const auto compression = compression_of_file(*input);
  if (!compression) return failure(compression.error());
  if (*compression != Compression::kNone) return open_stream(std::move(*input), sane(options));
  auto mapped = MappedFile::map(input->file.number(), input->name);
  if (!mapped) return open_stream(std::move(*input), sane(options));  // some file systems cannot map
  return make_mapped_source(std::move(*mapped), static_cast<std::size_t>(input->start), sane(options));
}

}  // namespace ttscope::input
