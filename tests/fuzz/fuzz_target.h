#pragma once

// What all fuzz targets share. A file fuzz_<x>.cc holds the target <x>:
//   TTSCOPE_FUZZ_TARGET(x) { ... reads `text`, which is any bytes at all ... }
// With fuzzer_main.cc it becomes a libFuzzer program; with replay_main.cc all targets are one program that
// runs over their corpora as ordinary tests. Targets named chain_<x> go on to the analysis and to every
// output; the others read only, in memory, on one thread, so that a second tries thousands of inputs.

#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <string_view>
#include <vector>

namespace ttscope::fuzz {

struct Target {
  const char* name;
  void (*run)(std::string_view text);
};

/// The targets of this program.
inline std::vector<Target>& targets() {
  static std::vector<Target> all;
  return all;
}

struct Registration {
  Registration(const char* name, void (*run)(std::string_view)) { targets().push_back({name, run}); }
};

/// Ends the program, which the fuzzer takes for a finding.
inline void require(bool holds, const char* rule) {
  if (holds) return;
  std::fprintf(stderr, "broken: %s\n", rule);
  std::abort();
}

/// The text up to `end`, which is taken off with it; all of it where there is none.
inline std::string_view take_until(std::string_view& text, std::string_view end) {
  const std::size_t at = text.find(end);
  const std::string_view part = text.substr(0, at);
  text.remove_prefix(at == std::string_view::npos ? text.size() : at + end.size());
  return part;
}

/// Inputs that stand for several files hold them one behind the other, each ended by a line of `=`.
inline std::string_view take_part(std::string_view& text) { return take_until(text, "\n=\n"); }

}  // namespace ttscope::fuzz

#define TTSCOPE_FUZZ_TARGET(name)                                                \
  static void run_##name(std::string_view text);                                 \
  static const ttscope::fuzz::Registration registered_##name(#name, run_##name); \
  static void run_##name(std::string_view text)
