// Random programs on the embedded chip against the rules of the profiler, word by word.
#include <gtest/gtest.h>
#include <rapidcheck.h>
#include <rapidcheck/gtest.h>

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "support/chip_case.h"
#include "support/profiler_model.h"

namespace ttscope::testing {
namespace {

using chip::Arch;
using Kind = ModelStep::Kind;
using Steps = std::array<std::vector<ModelStep>, 5>;

constexpr std::uint32_t kSteps = 0x50000;  // of each RISC, in L1
constexpr std::uint32_t kStepBytes = 0x8000;

/// Does what words in L1 say: the kind in the low byte, a value above it; 255 ends a zone or the kernel.
constexpr const char* kInterpreter = R"(
const volatile uint32_t* next;
__attribute__((noinline)) void play() {
  while (true) {
    const uint32_t step = *next++;
    const uint32_t value = step >> 8;
    switch (step & 0xFF) {
      case 0: { DeviceZoneScopedN("A"); play(); break; }
      case 1: { DeviceZoneScopedN("B"); play(); break; }
      case 2: { DeviceZoneScopedMainN("M"); play(); break; }
      case 3: DeviceRecordEvent(value); break;
      case 4: DeviceTimestampedData("D", uint64_t(value) << 32 | (value + 1)); break;
      case 5: kernel_profiler::quick_push(); break;
      case 6: { DeviceZoneScopedSumN1("S1"); asm volatile("nop"); break; }
      case 7: { DeviceZoneScopedSumN2("S2"); asm volatile("nop"); break; }
      case 8: if (noc_event_profiler::kEnabled) noc_event_profiler::record(12345, uint64_t(value) << 32 | (value + 1)); break;
      default: return;
    }
  }
}
void kernel_main() {
  next = reinterpret_cast<const volatile uint32_t*>(0x50000 + 0x8000 * ttscope_device::kThisRisc);
  play();
}
)";

std::vector<ModelStep> random_steps(int depth) {
  std::vector<ModelStep> steps;
  const int count = *rc::gen::inRange(0, depth == 0 ? 60 : 5);
  for (int i = 0; i < count; ++i) {
    ModelStep step;
    step.kind = *rc::gen::weightedElement<Kind>({{5, Kind::kZoneA},
                                                 {3, Kind::kZoneB},
                                                 {1, Kind::kMainZone},
                                                 {4, Kind::kEvent},
                                                 {3, Kind::kData},
                                                 {1, Kind::kQuickPush},
                                                 {1, Kind::kSum1},
                                                 {1, Kind::kSum2},
                                                 {3, Kind::kNocEvent}});
    step.value = *rc::gen::inRange<std::uint32_t>(0, 60000);
    const bool zone = step.kind <= Kind::kMainZone;
    // Some steps come often, so that buffers fill.
    const int times = *rc::gen::weightedElement<int>({{12, 1}, {1, 40}});
    if (zone && depth < 4 && times == 1) step.inside = random_steps(depth + 1);
    for (int k = 0; k < times; ++k) steps.push_back(step);
  }
  return steps;
}

void encode(const std::vector<ModelStep>& steps, std::vector<std::uint32_t>& words) {
  for (const ModelStep& step : steps) {
    words.push_back(static_cast<std::uint32_t>(step.kind) | step.value << 8);
    if (step.kind <= Kind::kMainZone) encode(step.inside, words);
  }
  words.push_back(255);
}

/// The first word that is not as expected.
std::optional<std::string> difference(const std::string& what, const ProfilerModel::Words& expected,
                                      const std::vector<std::uint32_t>& words) {
  for (std::size_t i = 0; i < words.size(); ++i) {
    if (!expected.at(i).fits(words[i]))
      return what + " word " + std::to_string(i) + ": " + std::to_string(words[i]) + ", expected " +
             std::to_string(expected[i].value);
  }
  return std::nullopt;
}

void check(ChipCase& chip, const ProfilerModel& model) {
  const std::vector<std::uint32_t> control = chip.control();
  for (std::size_t i = 0; i < control.size(); ++i)
    RC_ASSERT(std::make_pair(i, control[i]) == std::make_pair(i, model.control[i]));
  for (std::uint32_t risc = 0; risc < 5; ++risc) {
    const std::string name = "RISC " + std::to_string(risc);
    RC_ASSERT(difference(name + " L1", model.buffers[risc], chip.buffer(risc)) == std::nullopt);
    RC_ASSERT(difference(name + " DRAM", model.dram[risc], chip.sent(risc)) == std::nullopt);
  }
}

void check_random_programs(Arch arch) {
  const bool sums = *rc::gen::arbitrary<bool>();
  const std::uint32_t region_bytes = *rc::gen::element(2064u, 9600u, 48000u);
  ChipCase chip(arch,
                {.on = true, .flags = sums ? 9u : 1u, .region_bytes = region_bytes, .noc_events = true});
  const chip::KernelSet kernels = chip.on(kInterpreter, {0, 1, 2, 3, 4});
  std::map<std::string, std::uint32_t> ids;
  for (const chip::ZoneName& zone : chip.device.firmware_zones()) ids[zone.name] = zone.id;
  for (const auto& binary : chip.binaries) {
    for (const chip::ZoneName& zone : binary->zones) ids[zone.name] = zone.id;
  }
  const chip::Place own = chip::translated(arch, chip.place());
  const std::uint32_t flat = chip.device.cores().front().flat_id;
  ProfilerModel model(flat, chip::cores_per_dram_bank(arch), region_bytes / 4, chip.device.dram_address(),
                      sums, ids, own.x, own.y);

  const int launches = *rc::gen::inRange(1, 6);
  for (int launch = 0; launch < launches; ++launch) {
    const std::uint32_t enables = *rc::gen::element(1u, 2u, 3u, 28u, 29u, 31u, 31u, 0u);
    Steps steps;
    for (std::uint32_t risc = 0; risc < 5; ++risc) {
      steps[risc] = random_steps(0);
      std::vector<std::uint32_t> words;
      encode(steps[risc], words);
      RC_PRE(words.size() <= kStepBytes / 4);
      chip.card.write_words(chip.place(), kSteps + risc * kStepBytes, words);
    }
    const std::uint32_t host_id = *rc::gen::inRange<std::uint32_t>(1, 1u << 20);
    chip.device.start({{chip.place(), host_id, enables, kernels}});
    const Result<void> done = chip.device.wait({chip.place()}, 1'000'000);
    if (!done) RC_FAIL(done.error().message);
    model.launch(host_id, enables, steps);
    check(chip, model);
    if (*rc::gen::inRange(0, 4) == 0) {
      RC_ASSERT(chip.device.replay_trace({chip.place()}).has_value());
      model.replay_trace();
    }
    if (*rc::gen::inRange(0, 4) == 0) {
      chip.device.reset_control(chip.device.cores().front());
      model.reset_control();
    }
  }
}

TEST(ChipProfilerProperty, RandomProgramsLeaveTheWordsOfTheRulesOnWormhole) {
  SKIP_WITHOUT_CROSS_COMPILER();
  EXPECT_TRUE(rc::check([] { check_random_programs(Arch::kWormhole); }));
}

TEST(ChipProfilerProperty, RandomProgramsLeaveTheWordsOfTheRulesOnBlackhole) {
  SKIP_WITHOUT_CROSS_COMPILER();
  EXPECT_TRUE(rc::check([] { check_random_programs(Arch::kBlackhole); }));
}

}  // namespace
}  // namespace ttscope::testing
