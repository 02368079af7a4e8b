#include "perf/analyse/advice/slow_devices.h"

#include <algorithm>
#include <iterator>
#include <utility>

namespace ttscope::perf {
namespace {

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

}  // namespace

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

void join_devices(const AdviceCandidate& from, AdviceCandidate& to) {
  to.ops.insert(to.ops.end(), from.ops.begin(), from.ops.end());
  to.most_us += from.most_us;
  to.advice.more_devices.push_back(from.advice.device);
  to.advice.measured_us += from.advice.measured_us;
  to.advice.target_us += from.advice.target_us;
  std::vector<std::uint32_t> rows;
  std::set_union(to.advice.rows.begin(), to.advice.rows.end(), from.advice.rows.begin(),
                 from.advice.rows.end(), std::back_inserter(rows));
  to.advice.row_count = std::max({to.advice.row_count, from.advice.row_count, std::uint64_t{rows.size()}});
  if (rows.size() > OpAdvice::kRowsKept) rows.resize(OpAdvice::kRowsKept);
  to.advice.rows = std::move(rows);
}

}  // namespace ttscope::perf
