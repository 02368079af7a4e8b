#include "support/read_text.h"

#include <sys/mman.h>
#include <unistd.h>

#include <stdexcept>
#include <string>

#include "mem/read/log_reader.h"
#include "support/compressed.h"

namespace ttscope::testing {
namespace {

/// A file that lives in memory only.
class MemoryFile {
 public:
  explicit MemoryFile(std::string_view content) : number_(::memfd_create("ttscope-test", MFD_CLOEXEC)) {
    while (!content.empty()) {
      const ssize_t written = ::write(number_, content.data(), content.size());
      if (written <= 0) throw std::runtime_error("cannot write a file in memory");
      content.remove_prefix(static_cast<std::size_t>(written));
    }
  }
  ~MemoryFile() { ::close(number_); }
  MemoryFile(const MemoryFile&) = delete;
  MemoryFile& operator=(const MemoryFile&) = delete;

  std::string path() const { return "/proc/self/fd/" + std::to_string(number_); }

 private:
  int number_;
};

}  // namespace

mem::RuntimeLog read_text(std::string_view text, const ReadTextOptions& options) {
  const MemoryFile file(options.as_stream ? zstd(std::string(text)) : std::string(text));
  mem::ReadOptions read;
  read.threads = options.threads;
  if (options.chunk_bytes != 0) read.source.chunk_bytes = options.chunk_bytes;
  auto log = mem::read_runtime_logs({file.path()}, read);
  if (!log) throw std::runtime_error(log.error().message);
  log->files = {"log"};
  return std::move(*log);
}

}  // namespace ttscope::testing
