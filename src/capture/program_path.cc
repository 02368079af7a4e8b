#include "capture/program_path.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <string_view>
#include <system_error>

#include "base/file_descriptor.h"

namespace ttscope::capture {
namespace {

std::string reason_of(int error_number) { return std::generic_category().message(error_number); }

bool is_regular_file(const std::string& path) {
  struct stat facts {};
  return ::stat(path.c_str(), &facts) == 0 && S_ISREG(facts.st_mode);
}

/// `/usr/bin/env` of `#!/usr/bin/env python3`; empty when the file is no script.
std::string interpreter_of(const std::string& path) {
  const FileDescriptor file(::open(path.c_str(), O_RDONLY | O_CLOEXEC));
  std::array<char, 256> start{};
  const ssize_t size = file.is_open() ? ::read(file.number(), start.data(), start.size()) : -1;
  if (size < 3 || start[0] != '#' || start[1] != '!') return {};
  std::string_view line(start.data() + 2, static_cast<std::size_t>(size) - 2);
  line = line.substr(0, line.find('\n'));
  const std::size_t begin = line.find_first_not_of(" \t");
  if (begin == std::string_view::npos) return {};
  line.remove_prefix(begin);
  return std::string(line.substr(0, line.find_first_of(" \t")));
}

}  // namespace

tl::expected<std::string, StartFailure> find_program(const std::string& name,
                                                     const std::string& search_path) {
  if (name.empty()) return tl::unexpected(StartFailure{kNotFound, "the command is empty"});
  if (name.find('/') != std::string::npos) return name;
  std::string not_runnable;
  for (std::size_t at = 0; at <= search_path.size();) {
    const std::size_t end = std::min(search_path.find(':', at), search_path.size());
    std::string candidate = end == at ? "." : search_path.substr(at, end - at);
    candidate.append("/").append(name);
    if (is_regular_file(candidate)) {
      if (::access(candidate.c_str(), X_OK) == 0) return candidate;
      if (not_runnable.empty()) not_runnable = std::move(candidate);
    }
    at = end + 1;
  }
  if (!not_runnable.empty()) {
    return tl::unexpected(
        StartFailure{kNotRunnable, fmt::format("{}: cannot be run: {}", not_runnable, reason_of(EACCES))});
  }
  return tl::unexpected(
      StartFailure{kNotFound, fmt::format("{}: no such program in the folders of PATH", name)});
}

StartFailure explain_exec_failure(const std::string& path, int error_number) {
  if (error_number == ENOENT) {
    if (::access(path.c_str(), F_OK) != 0) {
      return {kNotFound, fmt::format("{}: {}", path, reason_of(ENOENT))};
    }
    const std::string interpreter = interpreter_of(path);
    if (!interpreter.empty()) {
      return {kNotFound,
              fmt::format("{}: its interpreter {} (named in its first line) does not exist; run it as: "
                          "INTERPRETER {}",
                          path, interpreter, path)};
    }
    return {kNotFound, fmt::format("{}: its loader or a library it needs does not exist", path)};
  }
  if (error_number == ENOEXEC) {
    return {kNotRunnable,
            fmt::format("{}: not a program, and it has no `#!` line that says what runs it", path)};
  }
  if (error_number == EACCES && !is_regular_file(path)) {
    return {kNotRunnable, fmt::format("{}: is not a file that can be run", path)};
  }
  if (error_number == EACCES) {
    return {kNotRunnable, fmt::format("{}: cannot be run: {}; is it executable (chmod +x)?", path,
                                      reason_of(error_number))};
  }
  if (error_number == ENOMEM || error_number == EAGAIN) {
    return {kOwnFailure, fmt::format("{}: cannot start a process: {}", path, reason_of(error_number))};
  }
  return {kNotRunnable, fmt::format("{}: cannot be run: {}", path, reason_of(error_number))};
}

}  // namespace ttscope::capture
