#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include <ttscope_device/profiler_layout.h>

namespace ttscope::testing {

/// A word that is expected: as it is, a marker's first word without its time, or any.
struct ExpectedWord {
  enum class Kind : std::uint8_t { kExact, kMarker, kAny } kind = Kind::kExact;
  std::uint32_t value = 0;

  bool fits(std::uint32_t word) const {
    return kind == Kind::kAny || (kind == Kind::kExact ? word == value : word >> 12 == value >> 12);
  }
};

/// What a kernel of the random programs does.
struct ModelStep {
  enum class Kind : std::uint8_t {
    kZoneA,
    kZoneB,
    kMainZone,
    kEvent,
    kData,
    kQuickPush,
    kSum1,
    kSum2,
    kNocEvent
  } kind = Kind::kEvent;
  std::uint32_t value = 0;
  std::vector<ModelStep> inside;  ///< of zones
};

/// The profiler's rules as they are described, one core, slow and plain. Times are not predicted.
class ProfilerModel {
 public:
  using Words = std::vector<ExpectedWord>;
  static constexpr std::uint32_t kRiscs = 5;

  ProfilerModel(std::uint32_t flat_id, std::uint32_t cores_per_bank, std::uint32_t region_words,
                std::uint32_t dram_address, bool sums, std::map<std::string, std::uint32_t> ids,
                std::uint32_t x, std::uint32_t y)
      : flat_id_(flat_id),
        per_bank_(cores_per_bank),
        region_words_(region_words),
        address_(dram_address),
        sums_on_(sums),
        ids_(std::move(ids)),
        x_(x),
        y_(y) {
    for (Words& buffer : buffers) buffer.resize(512);
    for (Words& region : dram) region.resize(region_words);
    reset_control();
  }

  std::array<std::uint32_t, 64> control{};
  std::array<Words, kRiscs> buffers;
  std::array<Words, kRiscs> dram;

  void reset_control() {
    control.fill(0);
    control[50] = address_;
    control[54] = flat_id_;
    control[55] = per_bank_;
    for (std::uint32_t i = 60; i < 64; ++i) control[i] = address_;
  }

  void replay_trace() {
    trace_ = (trace_ + 1) & 0xFFFF;
    for (Words& buffer : buffers) buffer[2] = exact(trace_ << 13 | (buffer[2].value & 0x1FFF));
  }

  void launch(std::uint32_t host_id, std::uint32_t enables,
              const std::array<std::vector<ModelStep>, kRiscs>& steps) {
    enter(0);
    control[57] = enables != 0 ? 0 : 1;
    for (Words& buffer : buffers) buffer[3] = exact(host_id);
    std::vector<std::uint32_t> others;
    if (enables & 2) others.push_back(1);
    if (enables & 4) others.insert(others.end(), {2, 3, 4});
    for (std::uint32_t risc : others) enter(risc);
    if (enables & 1) kernel(0, steps[0]);
    for (std::uint32_t risc : others) kernel(risc, steps[risc]);
    for (std::uint32_t risc : others) leave(risc);
    leave(0);
  }

 private:
  static ExpectedWord exact(std::uint32_t value) { return {ExpectedWord::Kind::kExact, value}; }

  void put_marker(std::uint32_t risc, std::uint32_t at, std::uint32_t type, std::uint32_t id) {
    buffers[risc].at(at) = {ExpectedWord::Kind::kMarker, 0x80000000 | type << 28 | (id & 0xFFFF) << 12};
    buffers[risc].at(at + 1) = {ExpectedWord::Kind::kAny, 0};
  }
  void append(std::uint32_t risc, std::uint32_t type, std::uint32_t id) {
    put_marker(risc, used_[risc], type, id);
    used_[risc] += 2;
  }
  void append_words(std::uint32_t risc, std::uint32_t high, std::uint32_t low) {
    buffers[risc].at(used_[risc]) = exact(high);
    buffers[risc].at(used_[risc] + 1) = exact(low);
    used_[risc] += 2;
  }
  /// Whether so many words fit before the ends of open zones, leaving some.
  bool fits(std::uint32_t risc, std::uint32_t words, std::uint32_t spare = 0) const {
    return used_[risc] + words + spare + reserved_[risc] <= 512;
  }
  std::uint32_t id(const std::string& name) const { return ids_.at(name); }

  void zone(std::uint32_t risc, const std::string& name, const ModelStep& step, bool guaranteed) {
    bool open = fits(risc, 4);
    if (!open && guaranteed && risc < 2) {
      quick_push(risc);
      open = fits(risc, 4);
    }
    if (open) {
      reserved_[risc] += 2;
      append(risc, 0, id(name));
    }
    for (const ModelStep& one : step.inside) play(risc, one);
    if (!open) return;
    append(risc, 1, id(name));
    reserved_[risc] -= 2;
  }

  void play(std::uint32_t risc, const ModelStep& step) {
    using Kind = ModelStep::Kind;
    switch (step.kind) {
      case Kind::kZoneA:
        zone(risc, "A", step, false);
        break;
      case Kind::kZoneB:
        zone(risc, "B", step, false);
        break;
      case Kind::kMainZone:
        zone(risc, "M", step, true);
        break;
      case Kind::kEvent:
        if (fits(risc, 2)) append(risc, 4, step.value);
        break;
      case Kind::kData:
        if (!fits(risc, 4)) break;
        append(risc, 3, id("D"));
        append_words(risc, step.value, step.value + 1);
        break;
      case Kind::kQuickPush:
        quick_push(risc);
        break;
      case Kind::kSum1:
      case Kind::kSum2:
        sum_[risc][step.kind == Kind::kSum2] |= sums_on_;
        break;
      case Kind::kNocEvent:
        if (risc > 1) break;
        if (!fits(risc, 4, 16)) quick_push(risc);
        if (!fits(risc, 4, 16)) break;
        append(risc, 3, 12345);
        append_words(risc, step.value, step.value + 1);
        break;
    }
  }

  void stamp(std::uint32_t risc) {
    buffers[risc][2] = exact((buffers[risc][2].value & 0xFFFFu << 13) | flat_id_ << 5 | risc);
  }

  void send(std::uint32_t risc, std::uint32_t words) {
    for (std::uint32_t i = 0; i < words; ++i) dram[risc].at(control[risc] + i) = buffers[risc][i];
    control[risc] += words;
  }

  void quick_push(std::uint32_t risc) {
    if (risc > 1 || control[50] == 0 || (control[56] >> risc & 1) != 0) return;
    const bool own_zone = used_[risc] + 4 <= 512;
    if (own_zone) append(risc, 0, id("PROFILER-NOC-QUICK-PUSH"));
    stamp(risc);
    if (own_zone) append(risc, 1, id("PROFILER-NOC-QUICK-PUSH"));
    while (used_[risc] % 4 != 0) append_words(risc, 0x80000000, 0);
    if (control[risc] + used_[risc] <= region_words_ - 4) {
      send(risc, used_[risc]);
    } else {
      control[56] |= 1u << risc;
    }
    used_[risc] = 12;
  }

  void enter(std::uint32_t risc) {
    used_[risc] = 12;
    reserved_[risc] = 0;
    sum_[risc] = {false, false};
    if (risc == 0) {
      control[57] = 0;
      for (Words& buffer : buffers) {
        if (control[51] == 0) {
          buffer[0] = buffer[1] = buffer[3] = exact(0);
          buffer[2] = exact(trace_ << 13);
        }
        for (std::uint32_t i = 4; i < 12; ++i) buffer[i] = exact(0x80000000);
      }
      if (control[51] == 0) {
        control[52] = x_;
        control[53] = y_;
      }
    }
    put_marker(risc, 4, 0, id(firmware_name(risc)));
  }

  void kernel(std::uint32_t risc, const std::vector<ModelStep>& steps) {
    put_marker(risc, 8, 0, id(kernel_name(risc)));
    for (const ModelStep& step : steps) play(risc, step);
    put_marker(risc, 10, 1, id(kernel_name(risc)));
  }

  void leave(std::uint32_t risc) {
    put_marker(risc, 6, 1, id(firmware_name(risc)));
    if (control[57] == 1) return;
    for (std::uint32_t i = 0; i < 2; ++i) {
      if (sum_[risc][i] && fits(risc, 2)) append(risc, 2, id(i == 0 ? "S1" : "S2"));
    }
    while (used_[risc] % 4 != 0) append_words(risc, 0x80000000, 0);
    control[24 + risc] = used_[risc];
    if (risc == 0) push_all();
  }

  void push_all() {
    for (std::uint32_t risc = 0; risc < kRiscs; ++risc) {
      stamp(risc);
      const std::uint32_t words = control[24 + risc];
      if (words == 0 || control[50] == 0) continue;
      if (control[risc] + words <= region_words_) {
        send(risc, words);
      } else {
        control[56] |= 1u << risc;
        if (control[risc] + 12 <= region_words_) send(risc, 12);
      }
    }
    ++control[51];
    control[57] = 1;
  }

  static std::string firmware_name(std::uint32_t risc) {
    return risc == 0 ? "BRISC-FW" : risc == 1 ? "NCRISC-FW" : "TRISC-FW";
  }
  static std::string kernel_name(std::uint32_t risc) {
    return risc == 0 ? "BRISC-KERNEL" : risc == 1 ? "NCRISC-KERNEL" : "TRISC-KERNEL";
  }

  std::uint32_t flat_id_, per_bank_, region_words_, address_;
  bool sums_on_;
  std::map<std::string, std::uint32_t> ids_;
  std::uint32_t x_, y_;
  std::uint32_t trace_ = 0;
  std::array<std::uint32_t, kRiscs> used_{};
  std::array<std::uint32_t, kRiscs> reserved_{};
  std::array<std::array<bool, 2>, kRiscs> sum_{};
};

}  // namespace ttscope::testing
