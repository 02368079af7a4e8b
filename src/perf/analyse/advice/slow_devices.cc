#include "perf/analyse/advice/slow_devices.h"

#include <algorithm>
#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

namespace ttscope::perf {
namespace {

/// What an op took on one device.
struct DeviceTime {
  double us = 0;
  std::uint32_t row = 0;  ///< in OpsReport::rows
};

/// A device that took longer for an op than those that are not at fault.
struct SlowTime {
  std::uint32_t row = 0;
  double us = 0;
  double usual_us = 0;  ///< the median of the others
};

/// A device that is slower than the others by less is not at fault.
constexpr double kSlowerBy = 1.05;
/// A few devices are quicker than all others by chance more easily than one is slower: they count from here.
constexpr double kClearlyQuicker = 1.25;

/// Between two middle times; where these part clearly it is the lower one, since nobody took what lies
/// between.
double middle_of(double lower, double upper) {
  return upper >= lower * kClearlyQuicker ? lower : (lower + upper) / 2;
}

/// Where the times part most clearly among the quicker half; 0: nowhere.
std::size_t count_quick(const std::vector<DeviceTime>& times) {
  std::size_t quick = 0;
  double widest = kClearlyQuicker;
  for (std::size_t i = 1; i <= times.size() / 2; ++i) {
    const double step = times[i].us / times[i - 1].us;
    if (!(step >= widest)) continue;
    widest = step;
    quick = i;
  }
  return quick;
}

/// Who is slow at an op, by its times on all devices: each that is over the median of the others. Where most
/// are slow in the same way no median says so: then those that are clearly slower than the quick ones are.
std::vector<SlowTime> find_slow_times(std::vector<DeviceTime> times) {
  std::vector<SlowTime> slow;
  if (times.size() < 2) return slow;
  std::stable_sort(times.begin(), times.end(),
                   [](const DeviceTime& a, const DeviceTime& b) { return a.us < b.us; });
  for (std::size_t i = times.size(); i-- > times.size() / 2;) {
    const std::size_t others = times.size() - 1;
    const auto other = [&](std::size_t at) { return times[at < i ? at : at + 1].us; };
    const double usual_us = middle_of(other((others - 1) / 2), other(others / 2));
    if (!(usual_us > 0) || !(times[i].us > usual_us * kSlowerBy)) break;
    slow.push_back({times[i].row, times[i].us, usual_us});
  }
  if (!slow.empty() || !(times.front().us > 0)) return slow;
  const std::size_t quick = count_quick(times);
  for (std::size_t i = times.size(); quick > 0 && i-- > quick;) {
    const double usual_us = middle_of(times[(quick - 1) / 2].us, times[quick / 2].us);
    slow.push_back({times[i].row, times[i].us, usual_us});
  }
  return slow;
}

/// All executions of an op that every device has.
struct OpOnDevices {
  std::map<std::int32_t, double> took_us;  ///< by device
  std::map<std::int32_t, double> over_us;  ///< by device: where it was slower than the others, by how much

  /// A device is slow where it is in all of them together. One that was slower in some and quicker in others
  /// is not: times scatter, or work is divided anew each time.
  bool is_slow(std::int32_t device) const;
};

bool OpOnDevices::is_slow(std::int32_t device) const {
  constexpr double kMostOfIt = 0.75;
  const auto over = over_us.find(device);
  if (over == over_us.end()) return true;  // nothing shows that it is not
  double net_us = 0;
  std::vector<DeviceTime> all;
  std::vector<double> others;
  for (const auto& [one, us] : took_us) {
    all.push_back({us, static_cast<std::uint32_t>(one)});
    if (one != device) others.push_back(us);
  }
  std::sort(others.begin(), others.end());
  if (!others.empty())
    net_us = took_us.at(device) - middle_of(others[(others.size() - 1) / 2], others[others.size() / 2]);
  for (const SlowTime& slow : find_slow_times(std::move(all))) {
    if (slow.row == static_cast<std::uint32_t>(device)) net_us = std::max(net_us, slow.us - slow.usual_us);
  }
  return net_us > over->second * kMostOfIt;
}

/// Who is slow at each op, and at which ops nobody in particular.
class SlowDeviceFinder {
 public:
  explicit SlowDeviceFinder(CandidateList& list) : list_(list), in_(list.input()) {}

  void find() {
    for (std::uint32_t i = 0; i < in_.ops.rows.size(); ++i) {
      if (list_.is_timed(i)) add_op(i);
    }
    part_uneven_devices();
  }

 private:
  void add_op(std::uint32_t place);
  void part_uneven_devices();

  CandidateList& list_;
  const AdviceInput& in_;
  std::map<std::string, OpOnDevices> on_devices_;  ///< by name
};

/// A device that takes longer for an op than the others, whatever they wait for.
void SlowDeviceFinder::add_op(std::uint32_t place) {
  const ShownOp& row = in_.ops.rows[place];
  if (row.group == kNone || list_.facts_of(place).meets_devices) return;
  std::vector<DeviceTime> times;
  for_each_member(in_.table, in_.ops, row, [&](std::uint32_t one) {
    const double ns = in_.table.rows[one].kernel_duration_ns;
    if (has_number(ns)) times.push_back({ns / 1000, one});
  });
  const bool is_on_all = times.size() == in_.ops.clock.lanes.size();
  const std::uint32_t kind = list_.kind_number(place);
  OpOnDevices& op = on_devices_[list_.distinct_name_of(kind)];
  for (const DeviceTime& time : times)
    if (is_on_all) op.took_us[in_.table.rows[time.row].device] += time.us;
  for (const SlowTime& slow : find_slow_times(std::move(times))) {
    const std::int32_t device = in_.table.rows[slow.row].device;
    AdviceCandidate& to = list_.candidate(AdviceCause::kSlowDevice, GainBasis::kMeasured, kind, device);
    to.add_row(place, slow.us, slow.usual_us);
    to.ops.push_back({slow.row, static_cast<float>(slow.usual_us)});
    if (is_on_all) op.over_us[device] += slow.us - slow.usual_us;
  }
}

/// Those that are slow now and then are one cause for each op: whoever is it next time.
void SlowDeviceFinder::part_uneven_devices() {
  for (const auto& [name, op] : on_devices_) {
    for (const auto& [device, over_us] : op.over_us) {
      if (!op.is_slow(device)) list_.make_uneven(name, device);
    }
  }
}

}  // namespace

void add_slow_devices(CandidateList& list) { SlowDeviceFinder(list).find(); }

}  // namespace ttscope::perf
