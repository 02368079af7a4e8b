#pragma once

#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "base/result.h"
#include "serve/library.h"
#include "timeline/analyze/profile.h"
#include "timeline/analyze/window.h"

namespace ttscope::app {

/// A timeline in memory that answers what its page asks (docs/serve_api.md). Thread safe.
class TimelineWindows {
 public:
  explicit TimelineWindows(timeline::Profile profile);

  const timeline::Profile& profile() const { return profile_; }
  /// `what` is the last part of the address: `window`, `sums` or `hit`. The error is for the user.
  Result<std::string> answer(std::string_view what, std::string_view query) const;

 private:
  using Hits = std::shared_ptr<const std::vector<std::uint32_t>>;

  Result<timeline::WindowRequest> read_request(std::string_view query) const;
  Result<std::string> window(std::string_view query) const;
  Result<std::string> hit(std::string_view query) const;
  /// The last ones are kept: pages ask for the same with every move.
  Hits hits_of(const std::string& wanted) const;

  timeline::Profile profile_;
  timeline::WindowIndex index_;
  mutable std::mutex mutex_;
  mutable std::string last_wanted_;
  mutable Hits last_hits_;
};

/// What the server shows of it: the page, and who answers its requests.
Result<serve::ServedTimeline> served_timeline(timeline::Profile profile, std::string_view tool_version);

}  // namespace ttscope::app
