// Measures what a zone costs: in a loop that does nothing else, beside the same loop without one. It is
// compiled with ttscope's <tracy/Tracy.hpp> and, where its sources are at hand, with Tracy's:
// tools/bench_record.py compares them.
#include <tracy/Tracy.hpp>

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>

namespace {

// Short rounds, of which the best counts: other programs on the machine are in the way of most of them.
constexpr int kRounds = 100;
constexpr std::int64_t kUsualTurns = 10'000;

// Kept out of line and aligned alike: what is compared is the zone, not where the linker put the loop.
#define BENCH_LOOP __attribute__((noinline, aligned(64)))

BENCH_LOOP void run_empty(std::int64_t turns) {
  for (std::int64_t turn = 0; turn < turns; ++turn) asm volatile("" : : "r"(turn) : "memory");
}

BENCH_LOOP void run_zones(std::int64_t turns) {
  for (std::int64_t turn = 0; turn < turns; ++turn) {
    ZoneScopedN("bench");
    asm volatile("" : : "r"(turn) : "memory");
  }
}

/// The best of several rounds.
template <typename Loop>
double ns_per_turn(Loop loop, std::int64_t turns) {
  double least = 1e30;
  for (int round = 0; round < kRounds; ++round) {
    const auto begin = std::chrono::steady_clock::now();
    loop(turns);
    const std::chrono::duration<double, std::nano> took = std::chrono::steady_clock::now() - begin;
    least = std::min(least, took.count() / static_cast<double>(turns));
  }
  return least;
}

}  // namespace

int main(int argc, char** argv) {
  const std::int64_t turns = argc > 1 ? std::atoll(argv[1]) : kUsualTurns;
  if (turns <= 0) {
    std::fprintf(stderr, "usage: %s [ZONES_OF_A_ROUND]\n", argv[0]);
    return 2;
  }
  run_zones(1000);  // places, buffers and clocks are set up once
  const double empty_ns = ns_per_turn(run_empty, turns);
  const double zone_ns = ns_per_turn(run_zones, turns);
  std::printf("empty %.3f ns, zone %.3f ns\n", empty_ns, zone_ns);
  return 0;
}
