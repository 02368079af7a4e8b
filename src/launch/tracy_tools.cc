#include "launch/tracy_tools.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <netinet/in.h>
#include <poll.h>
#include <signal.h>  // NOLINT(modernize-deprecated-headers): POSIX, beyond <csignal>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <system_error>
#include <utility>

#include "launch/profiler_variables.h"
#include "launch/trace_folders.h"

namespace ttscope::launch {
namespace {

namespace fs = std::filesystem;
using Clock = std::chrono::steady_clock;

bool is_executable(const std::string& path) {
  struct stat facts {};
  return ::stat(path.c_str(), &facts) == 0 && S_ISREG(facts.st_mode) && ::access(path.c_str(), X_OK) == 0;
}

/// Listens there for a moment: at all addresses, since a listener at any of them is in the client's way.
bool is_free(int port) {
  const FileDescriptor socket(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0));
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_addr.s_addr = htonl(INADDR_ANY);
  address.sin_port = htons(static_cast<std::uint16_t>(port));
  return socket.is_open() &&
         ::bind(socket.number(), reinterpret_cast<sockaddr*>(&address), sizeof(address)) == 0 &&
         ::listen(socket.number(), 1) == 0;
}

/// A name that only one process can have at a time and that ends with it; no file is left.
FileDescriptor lock_port(int port) {
  FileDescriptor socket(::socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0));
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  const std::string name = fmt::format("ttscope-trace-port-{}", port);
  std::memcpy(address.sun_path + 1, name.data(), name.size());
  const auto size = static_cast<socklen_t>(offsetof(sockaddr_un, sun_path) + 1 + name.size());
  if (::bind(socket.number(), reinterpret_cast<sockaddr*>(&address), size) != 0) return {};
  return socket;
}

std::uint64_t file_bytes(const std::string& path) {
  struct stat facts {};
  return ::stat(path.c_str(), &facts) == 0 ? static_cast<std::uint64_t>(facts.st_size) : 0;
}

/// Ticks of a process's computing, from /proc.
std::uint64_t cpu_ticks(pid_t pid) {
  std::ifstream file(fmt::format("/proc/{}/stat", pid));
  std::string line;
  std::getline(file, line);
  const std::size_t name_end = line.rfind(')');
  if (name_end == std::string::npos) return 0;
  std::istringstream rest(line.substr(name_end + 1));
  std::string skipped;
  for (int field = 3; field < 14; ++field) rest >> skipped;
  std::uint64_t user = 0;
  std::uint64_t system = 0;
  rest >> user >> system;
  return user + system;
}

void write_all(int descriptor, const char* data, std::size_t size) {
  while (size > 0) {
    const ssize_t written = ::write(descriptor, data, size);
    if (written < 0 && errno == EINTR) continue;
    if (written <= 0) return;
    data += written;
    size -= static_cast<std::size_t>(written);
  }
}

/// Whether a process computes. One that waits wakes up again and again, as Tracy's does while it looks for
/// the program: what it needs for that adds up, but is never a tenth of a second in a second.
class CpuActivity {
 public:
  explicit CpuActivity(pid_t pid) : pid_(pid), ticks_(cpu_ticks(pid)) {}

  bool has_used_cpu() {
    constexpr std::chrono::seconds kWindow{1};
    constexpr std::uint64_t kParts = 10;
    if (Clock::now() - since_ < kWindow) return false;
    const std::uint64_t ticks = cpu_ticks(pid_);
    const std::uint64_t computed = ticks - std::exchange(ticks_, ticks);
    const auto passed = std::chrono::duration<double>(Clock::now() - std::exchange(since_, Clock::now()));
    const double ticks_per_s = static_cast<double>(::sysconf(_SC_CLK_TCK));
    return static_cast<double>(computed * kParts) >= passed.count() * ticks_per_s;
  }

 private:
  pid_t pid_;
  std::uint64_t ticks_;
  Clock::time_point since_ = Clock::now();
};

}  // namespace

std::string tools_folder(const std::string& given, const std::vector<std::string>& environment) {
  if (!given.empty()) return given;
  const std::string home = value_in(environment, "TT_METAL_HOME").value_or("");
  return home.empty() ? std::string() : home + "/build/tools/profiler/bin";
}

std::optional<TracyTools> find_tracy_tools(const std::string& folder) {
  if (folder.empty()) return std::nullopt;
  for (const auto& [capture, csvexport, flag] : {std::array{"tracy-capture", "tracy-csvexport", "-t"},
                                                 std::array{"capture-release", "csvexport-release", "-p"}}) {
    TracyTools tools{folder + "/" + capture, folder + "/" + csvexport, flag};
    if (is_executable(tools.capture) && is_executable(tools.csvexport)) return tools;
  }
  return std::nullopt;
}

ReservedPort ReservedPort::of(int number) {
  ReservedPort port;
  port.number_ = number;
  return port;
}

Result<ReservedPort> ReservedPort::take() {
  constexpr int kFirst = 8086;
  constexpr int kLast = 8499;
  for (int number = kFirst; number <= kLast; ++number) {
    FileDescriptor lock = lock_port(number);
    if (!lock.is_open() || !is_free(number)) continue;
    ReservedPort port = of(number);
    port.lock_ = std::move(lock);
    return port;
  }
  return failure(
      bad_input(fmt::format("No available port found from {} to {}; give one with -t", kFirst, kLast)));
}

CaptureTool::CaptureTool(Child child, CaptureToolSpec spec, std::vector<std::string> command)
    : child_(std::move(child)), spec_(std::move(spec)), command_(std::move(command)) {
  try {
    copier_ = std::thread([this] { copy_output(); });
  } catch (const std::system_error&) {
    child_.signal_group(SIGKILL);  // nobody would read what it says
    child_.wait();
    throw;
  }
}

CaptureTool::~CaptureTool() {
  if (!is_waited_for_) {
    child_.signal_group(SIGKILL);
    child_.wait();
  }
  copier_.join();
}

tl::expected<std::unique_ptr<CaptureTool>, StartFailure> CaptureTool::start(const CaptureToolSpec& spec) {
  ChildSpec child;
  child.path = spec.tool;
  child.arguments = {spec.tool, "-o", spec.output, "-f", "-p", std::to_string(spec.port)};
  child.environment = spec.environment;
  child.input = ChildInput::kPipe;
  auto started = Child::start(child);
  if (!started) return tl::unexpected(started.error());
  started->close_input();
  return std::unique_ptr<CaptureTool>(new CaptureTool(std::move(*started), spec, child.arguments));
}

void CaptureTool::copy_output() {
  const FileDescriptor log(::open(spec_.log.c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0666));
  std::array<char, 4096> piece;
  while (true) {
    struct pollfd waiting {
      child_.output(), POLLIN, 0
    };
    if (::poll(&waiting, 1, -1) < 0 && errno != EINTR) return;
    const ssize_t size = ::read(child_.output(), piece.data(), piece.size());
    if (size == 0 || (size < 0 && errno != EAGAIN && errno != EINTR)) return;
    if (size < 0) continue;
    output_bytes_ += static_cast<std::uint64_t>(size);
    write_all(log.number(), piece.data(), static_cast<std::size_t>(size));
    if (spec_.echo >= 0) write_all(spec_.echo, piece.data(), static_cast<std::size_t>(size));
  }
}

std::uint64_t CaptureTool::work_done() const { return file_bytes(spec_.output) + output_bytes_; }

CaptureToolEnd CaptureTool::finish() {
  constexpr std::chrono::milliseconds kPause{20};
  constexpr std::array<int, 3> kRequests = {SIGINT, SIGTERM, SIGKILL};
  CaptureToolEnd end;
  std::size_t requests = 0;
  std::uint64_t work = work_done();
  CpuActivity computing(child_.pid());
  Clock::time_point last_work = Clock::now();
  while (!child_.has_ended()) {
    std::this_thread::sleep_for(kPause);
    const std::uint64_t now_done = work_done();
    if (computing.has_used_cpu() || now_done != work) {
      work = now_done;
      last_work = Clock::now();
    }
    const bool is_idle = Clock::now() - last_work > spec_.stall_timeout;
    if ((is_idle || stop_requested_.exchange(false)) && requests < kRequests.size()) {
      child_.signal_group(kRequests[requests++]);
      last_work = Clock::now();
    }
  }
  end.exit_code = child_.wait().exit_code;
  is_waited_for_ = true;
  end.was_asked = requests > 0;
  end.was_killed = requests == kRequests.size();
  end.has_file = file_bytes(spec_.output) > 0;
  return end;
}

std::vector<TableExport> table_exports(const TracyTools& tools, const std::string& logs,
                                       const std::vector<std::string>& child_functions) {
  std::string children = "CompileProgram,HWCommandQueue_write_buffer";
  for (const std::string& name : child_functions) children += "," + name;
  const std::string capture = fmt::format("{}/{}", logs, kHostCapture);
  return {{{tools.csvexport, "-u", tools.parent_flag, "TT_", "-x", children, capture},
           fmt::format("{}/{}", logs, kOpTimes)},
          {{tools.csvexport, "-m", "-s", ";", capture}, fmt::format("{}/{}", logs, kOpMessages)}};
}

Result<void> run_export(const TableExport& table, const std::vector<std::string>& environment) {
  const auto& [command, output] = table;
  ChildSpec spec;
  spec.path = command.front();
  spec.arguments = command;
  spec.environment = environment;
  spec.input = ChildInput::kPipe;
  const FileDescriptor nowhere(::open("/dev/null", O_WRONLY | O_CLOEXEC));
  spec.error_output = nowhere.number();
  auto child = Child::start(spec);
  if (!child) return failure(bad_input(child.error().message));
  child->close_input();
  const FileDescriptor file(::open(output.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666));
  std::array<char, 65536> piece;
  while (true) {
    struct pollfd waiting {
      child->output(), POLLIN, 0
    };
    if (::poll(&waiting, 1, -1) < 0 && errno != EINTR) break;
    const ssize_t size = ::read(child->output(), piece.data(), piece.size());
    if (size == 0 || (size < 0 && errno != EAGAIN && errno != EINTR)) break;
    if (size > 0) write_all(file.number(), piece.data(), static_cast<std::size_t>(size));
  }
  const ChildEnd end = child->wait();
  if (end.exit_code == 0 && file_bytes(output) > 0) return {};
  std::error_code ignored;
  fs::remove(output, ignored);
  return failure(bad_input(fmt::format("{} ended with {}{}", command.front(), end.exit_code,
                                       end.exit_code == 0 ? " and printed nothing" : "")));
}

}  // namespace ttscope::launch
