// Declared in capture_source.h.
#include "sim/device/capture_stack.h"
#include "sim/tracker/capture_source.h"

namespace ttscope::tracker {
namespace {

class SimulatedSource final : public CaptureSource {
 public:
  Result<void> begin(RunMode mode) override {
    capture_ = sim::CaptureStack::current().begin(mode);
    return {};
  }
  Result<graph::GraphTrace> end() override { return sim::CaptureStack::current().end(capture_); }

 private:
  std::uint64_t capture_ = 0;
};

}  // namespace

std::unique_ptr<CaptureSource> make_simulated_source() { return std::make_unique<SimulatedSource>(); }

}  // namespace ttscope::tracker
