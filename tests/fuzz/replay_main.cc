// Runs every file of a corpus folder through a fuzz target, without libFuzzer:
//   fuzz_replay TARGET CORPUS_DIR
// A crash or a sanitizer report ends the program; the name of the file at fault is the last one printed
// on standard error. A folder that is missing or empty is an error, so that a corpus cannot get lost unseen.

#include <algorithm>
#include <cstddef>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <ios>
#include <memory>
#include <string_view>
#include <system_error>
#include <vector>

#include "fuzz/fuzz_target.h"

namespace {

namespace fs = std::filesystem;

std::vector<fs::path> list_files(const fs::path& folder) {
  std::vector<fs::path> files;
  std::error_code error;
  for (fs::recursive_directory_iterator it(folder, error), end; !error && it != end; it.increment(error)) {
    if (it->is_regular_file()) files.push_back(it->path());
  }
  std::sort(files.begin(), files.end());
  return files;
}

bool replay(const ttscope::fuzz::Target& target, const fs::path& file) {
  std::error_code error;
  const auto size = static_cast<std::size_t>(fs::file_size(file, error));
  std::ifstream stream(file, std::ios::binary);
  if (error || !stream) {
    std::fprintf(stderr, "cannot read %s\n", file.c_str());
    return false;
  }
  // A block of exactly the input's size lets the address sanitizer see a read past its end.
  const auto bytes = std::make_unique<char[]>(size);
  stream.read(bytes.get(), static_cast<std::streamsize>(size));
  std::fprintf(stderr, "%s\n", file.c_str());
  target.run({bytes.get(), size});
  return true;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 3) {
    std::fprintf(stderr, "usage: %s TARGET CORPUS_DIR\n", argv[0]);
    return 2;
  }
  const auto& targets = ttscope::fuzz::targets();
  const auto target = std::find_if(targets.begin(), targets.end(),
                                   [&](const auto& each) { return std::string_view(each.name) == argv[1]; });
  if (target == targets.end()) {
    std::fprintf(stderr, "no fuzz target named %s\n", argv[1]);
    return 1;
  }
  const std::vector<fs::path> files = list_files(argv[2]);
  if (files.empty()) {
    std::fprintf(stderr, "no corpus files in %s\n", argv[2]);
    return 1;
  }
  const bool all_read =
      std::all_of(files.begin(), files.end(), [&](const fs::path& file) { return replay(*target, file); });
  std::printf("%zu inputs replayed from %s\n", files.size(), argv[2]);
  return all_read ? 0 : 1;
}
