// Starting programs and reading what they print.
#include "launch/child.h"

#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstdlib>
#include <fstream>

#include "launch/log_capture.h"
#include "launch/tracy_tools.h"
#include "support/temp_folder.h"

namespace ttscope::launch {
namespace {

using ::testing::HasSubstr;
using ::testing::Optional;
using testing::TempFolder;

std::vector<std::string> environment() { return {"PATH=/usr/bin:/bin", "A=b c"}; }

ChildSpec shell(const std::string& code) {
  ChildSpec spec;
  spec.path = "/bin/sh";
  spec.arguments = {"sh", "-c", code};
  spec.environment = environment();
  return spec;
}

/// What is captured of a shell's code, and how it ended.
CaptureResult capture(const ChildSpec& spec, std::string& text, const CaptureConsole& console = {}) {
  const TempFolder folder;
  const std::string path = folder.path() + "/log";
  auto child = Child::start(spec);
  auto log = LogSink::create(path, {});
  EXPECT_TRUE(child.has_value());
  EXPECT_TRUE(log.has_value());
  CaptureResult result = run_capture(*child, **log, console);
  std::ifstream file(path, std::ios::binary);
  text.assign(std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>());
  return result;
}

TEST(Child, OutputEnvironmentAndExitCode) {
  std::string text;
  const CaptureResult result = capture(shell("echo \"$A\"; echo err >&2; exit 7"), text);
  EXPECT_EQ(text, "b c\nerr\n");
  EXPECT_EQ(result.end.exit_code, 7);
  EXPECT_EQ(result.end.signal_number, 0);
  EXPECT_EQ(result.state.lines, 2u);
  EXPECT_FALSE(result.left_open);
}

TEST(Child, EndBySignal) {
  std::string text;
  const CaptureResult result = capture(shell("kill -TERM $$"), text);
  EXPECT_EQ(result.end.exit_code, 128 + SIGTERM);
  EXPECT_EQ(result.end.signal_number, SIGTERM);
}

TEST(Child, HasAGroupOfItsOwnAndNoBlockedSignals) {
  sigset_t blocked;
  sigemptyset(&blocked);
  sigaddset(&blocked, SIGINT);
  pthread_sigmask(SIG_BLOCK, &blocked, nullptr);
  std::string text;
  capture(shell("set -- $(cat /proc/$$/stat); [ $5 = $$ ] && echo own; exec grep SigBlk /proc/self/status"),
          text);
  pthread_sigmask(SIG_UNBLOCK, &blocked, nullptr);
  EXPECT_THAT(text, HasSubstr("own\n"));
  EXPECT_THAT(text, HasSubstr("0000000000000000"));
}

/// Descriptors that whoever runs the tests has left open for all.
int inherited_descriptors() {
  constexpr int kMax = 1024;
  int count = 0;
  for (int descriptor = 3; descriptor < kMax; ++descriptor) {
    const int flags = ::fcntl(descriptor, F_GETFD);
    if (flags >= 0 && (flags & FD_CLOEXEC) == 0) ++count;
  }
  return count;
}

TEST(Child, NothingOfOursLeaksIntoIt) {
  std::string text;
  capture(shell("ls /proc/self/fd | wc -l"), text);
  EXPECT_EQ(std::atoi(text.c_str()), 4 + inherited_descriptors()) << "0, 1, 2 and the folder that ls reads";
}

TEST(Child, PseudoTerminal) {
  ChildSpec spec = shell("[ -t 1 ] && [ -t 2 ] && echo terminal; printf 'a\\rb\\n'");
  spec.pty = true;
  std::string text;
  CaptureConsole console;
  console.screen = 0;
  const CaptureResult result = capture(spec, text, console);
  EXPECT_EQ(text, "terminal\na\rb\n");
  EXPECT_EQ(result.end.exit_code, 0);
}

TEST(Child, StartFailures) {
  const TempFolder folder;
  const auto file = [&](const std::string& name, const std::string& text, mode_t mode) {
    const std::string path = folder.path() + "/" + name;
    std::ofstream(path) << text;
    ::chmod(path.c_str(), mode);
    return path;
  };
  const auto failure_of = [](const std::string& path) {
    ChildSpec spec;
    spec.path = path;
    spec.arguments = {path};
    const auto child = Child::start(spec);
    return child ? StartFailure{0, ""} : child.error();
  };
  EXPECT_EQ(failure_of(folder.path() + "/none").exit_code, kNotFound);
  EXPECT_EQ(failure_of(folder.path()).exit_code, kNotRunnable);
  EXPECT_EQ(failure_of(file("plain", "x", 0644)).exit_code, kNotRunnable);
  EXPECT_EQ(failure_of(file("text", "x", 0755)).exit_code, kNotRunnable);
  const StartFailure bad = failure_of(file("bad", "#! /no/such -x\n", 0755));
  EXPECT_EQ(bad.exit_code, kNotFound);
  EXPECT_THAT(bad.message, HasSubstr("interpreter /no/such "));
}

TEST(Child, ProgramsAreFoundAsAShellFindsThem) {
  EXPECT_EQ(find_program("sh", "/nowhere:/bin").value(), "/bin/sh");
  EXPECT_EQ(find_program("./x", "/bin").value(), "./x");
  EXPECT_EQ(find_program("no-such", "/bin").error().exit_code, kNotFound);
  EXPECT_EQ(find_program("", "/bin").error().exit_code, kNotFound);
  EXPECT_EQ(find_program("passwd", "/etc").error().exit_code, kNotRunnable);
}

TEST(CommandOutput, ShortCommandsOnly) {
  const auto output = [](const std::string& code, int patience_ms) {
    return command_output("/bin/sh", {"sh", "-c", code}, environment(),
                          std::chrono::milliseconds(patience_ms));
  };
  EXPECT_THAT(output("echo hi; cat", 60000), Optional(std::string("hi\n")));
  EXPECT_EQ(output("exit 1", 60000), std::nullopt);
  EXPECT_EQ(output("sleep 600", 50), std::nullopt);
  EXPECT_EQ(output("yes", 60000), std::nullopt);
}

/// Tracy's tool looks for the program a hundred times a second: that added up to progress, and the wait for a
/// program without Tracy's client had no end.
TEST(CaptureTool, OneThatOnlyLooksForTheProgramIsAskedToEnd) {
  const TempFolder folder;
  CaptureToolSpec spec;
  spec.tool = folder.path() + "/tool";
  std::ofstream(spec.tool)
      << "#!/usr/bin/python3\nimport signal, time\nsignal.signal(signal.SIGINT, signal.SIG_DFL)\n"
         "while True:\n    end = time.process_time() + 0.01\n"
         "    while time.process_time() < end: pass\n    time.sleep(0.2)\n";
  chmod(spec.tool.c_str(), 0755);
  spec.output = folder.path() + "/none.tracy";
  spec.log = folder.path() + "/log";
  spec.environment = environment();
  spec.stall_timeout = std::chrono::seconds(6);
  const auto tool = CaptureTool::start(spec);
  ASSERT_TRUE(tool);
  const CaptureToolEnd end = (*tool)->finish();
  EXPECT_TRUE(end.was_asked);
  EXPECT_FALSE(end.has_file);
}

}  // namespace
}  // namespace ttscope::launch
