#include "capture/command_output.h"

#include <poll.h>
#include <signal.h>  // NOLINT(modernize-deprecated-headers): POSIX, beyond <csignal>
#include <unistd.h>

#include <array>
#include <cerrno>

#include "capture/child.h"

namespace ttscope::capture {

std::optional<std::string> command_output(const std::string& path, const std::vector<std::string>& arguments,
                                          const std::vector<std::string>& environment,
                                          std::chrono::milliseconds patience) {
  using Clock = std::chrono::steady_clock;
  constexpr std::size_t kMostBytes = 65536;
  ChildSpec spec;
  spec.path = path;
  spec.arguments = arguments;
  spec.environment = environment;
  spec.input = ChildInput::kPipe;
  auto child = Child::start(spec);
  if (!child) return std::nullopt;
  child->close_input();
  const Clock::time_point end = Clock::now() + patience;
  std::string text;
  bool whole = false;
  while (!whole && text.size() < kMostBytes) {
    const auto left = std::chrono::duration_cast<std::chrono::milliseconds>(end - Clock::now());
    struct pollfd waiting {
      child->output(), POLLIN, 0
    };
    if (left.count() <= 0 || ::poll(&waiting, 1, static_cast<int>(left.count())) == 0) break;
    std::array<char, 4096> piece;
    const ssize_t size = ::read(child->output(), piece.data(), piece.size());
    if (size > 0) text.append(piece.data(), static_cast<std::size_t>(size));
    whole = size == 0 || (size < 0 && errno != EAGAIN && errno != EINTR);
  }
  if (!whole) child->signal_group(SIGKILL);
  const ChildEnd ended = child->wait();
  if (!whole || ended.exit_code != 0) return std::nullopt;
  return text;
}

}  // namespace ttscope::capture
