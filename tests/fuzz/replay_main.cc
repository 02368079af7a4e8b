// Runs every file of a corpus folder through a fuzz target, without libFuzzer:
//   fuzz_<x> CORPUS_DIR
// A crash or a sanitizer report ends the program; the name of the file at fault is the last one printed
// on standard error. A folder that is missing or empty is an error, so that a corpus cannot get lost unseen.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <ios>
#include <memory>
#include <system_error>
#include <vector>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size);

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

bool replay(const fs::path& file) {
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
  LLVMFuzzerTestOneInput(reinterpret_cast<const std::uint8_t*>(bytes.get()), size);
  return true;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 2) {
    std::fprintf(stderr, "usage: %s CORPUS_DIR\n", argv[0]);
    return 2;
  }
  const std::vector<fs::path> files = list_files(argv[1]);
  if (files.empty()) {
    std::fprintf(stderr, "no corpus files in %s\n", argv[1]);
    return 1;
  }
  const bool all_read = std::all_of(files.begin(), files.end(), replay);
  std::printf("%zu inputs replayed from %s\n", files.size(), argv[1]);
  return all_read ? 0 : 1;
}
