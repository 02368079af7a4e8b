// Writes a graph capture of a given size, as a transformer's training steps would leave it: for the benchmark
// and the tests of the reader. The same options give the same bytes.
#include <fmt/format.h>

#include <charconv>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <string_view>

#include "base/writer.h"
#include "gen_graph/capture_text.h"

namespace {

int usage() {
  std::fputs(
      "usage: ttscope-gen-graph --bytes N --out PATH [--seed N] [--no-dispatch] [--report] [--segments N]\n",
      stderr);
  return 2;
}

bool read_number(std::string_view text, std::uint64_t& number) {
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  return error == std::errc() && end == text.data() + text.size();
}

}  // namespace

int main(int argc, char** argv) {
  ttscope::gen_graph::Options options;
  std::string path;
  for (int i = 1; i < argc; ++i) {
    const std::string_view option = argv[i];
    if (option == "--no-dispatch") {
      options.no_dispatch = true;
      continue;
    }
    if (option == "--report") {
      options.report = true;
      continue;
    }
    if (++i == argc) return usage();
    const bool is_known = (option == "--bytes" && read_number(argv[i], options.bytes)) ||
                          (option == "--seed" && read_number(argv[i], options.seed)) ||
                          (option == "--segments" && read_number(argv[i], options.segments)) ||
                          option == "--out";
    if (!is_known) return usage();
    if (option == "--out") path = argv[i];
  }
  if (path.empty() || options.bytes == 0) return usage();
  auto out = ttscope::open_writer(path);
  if (!out) {
    std::fprintf(stderr, "%s\n", out.error().message.c_str());
    return 1;
  }
  ttscope::gen_graph::write_capture(options, **out);
  const auto finished = (*out)->finish();
  if (!finished) std::fprintf(stderr, "%s\n", finished.error().message.c_str());
  return finished ? 0 : 1;
}
