#pragma once

#include <vector>

#include "fit/report.h"
#include "mem/analyse/fit/rank_fit.h"
#include "mem/analyse/profile.h"

namespace ttscope::mem {

/// A run whose ranks are replayed; ask() answers about one device and one set of changes.
class FitRun {
 public:
  explicit FitRun(const Profile& profile);

  /// What all ranks print, together. Nothing where no rank printed a state.
  fit::Agreement agreement() const;
  /// The device of the main rank, with a name; a usual one where the input tells none.
  const fit::Device& own_device() const { return own_; }
  bool device_is_assumed() const { return assumed_; }
  /// Whether the message of a failure is all that tells of the device.
  bool device_by_message() const {
    return !replays_.empty() && replays_[profile_.memory.main_rank].device_by_message;
  }
  fit::Reservations reservations() const;
  bool has_anything_to_place() const;
  /// Fails where files that are taken as ranks of one run were printed on different devices.
  Result<void> check_devices() const;
  FitScene main_scene() const { return scene(profile_.memory.main_rank); }

  struct Answer {
    fit::DeviceVerdict verdict;
    std::vector<fit::AppliedChange> applied;
    std::vector<fit::Omission> omissions;
  };
  Result<Answer> ask(const fit::Device& device, const fit::Changes& changes) const;

 private:
  FitScene scene(std::uint32_t rank) const { return {profile_.trace, profile_.memory, rank, replays_[rank]}; }
  /// A device that is the run's own stands for that of each rank.
  fit::Device device_for(std::uint32_t rank, const fit::Device& device) const;
  fit::DeviceVerdict verdict_of(std::uint32_t rank, const fit::Device& device, const RankFit& found,
                                const fit::Changes& changes) const;
  fit::Failure failure_of(std::uint32_t rank, const RankFit& found) const;
  void describe_message(std::uint32_t rank, const OutOfMemory& message, fit::Failure& failure) const;
  void describe_held(std::uint32_t rank, const RankFit& found, fit::Failure& failure) const;
  fit::Place place_of_tick(std::uint32_t rank, fit::Tick tick, std::uint32_t op) const;
  std::string label_of(std::uint32_t rank, std::uint32_t life) const;

  const Profile& profile_;
  std::vector<OwnReplay> replays_;
  fit::Device own_;
  bool assumed_ = false;
};

}  // namespace ttscope::mem
