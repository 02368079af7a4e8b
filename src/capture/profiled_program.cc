#include "capture/profiled_program.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <filesystem>
#include <string_view>

#include "base/file_descriptor.h"
#include "capture/profiler_variables.h"

namespace ttscope::capture {
namespace {

namespace fs = std::filesystem;

/// `python`, `python3`, `python3.11`, also behind a path.
bool is_interpreter(const std::string& word) {
  const std::string name = fs::path(word).filename().string();
  return name.starts_with("python") && name.find_first_not_of("0123456789.", 6) == std::string::npos;
}

/// What Python runs though it is no text: a folder or archive with a `__main__.py`, a compiled module.
bool has_python_ending(const std::string& path) {
  return path.ends_with(".pyz") || path.ends_with(".pyzw") || path.ends_with(".pyc");
}

enum class FileLook { kMissing, kFolder, kBinary, kPython, kOtherScript, kText };

FileLook look_at(const std::string& path) {
  struct stat facts {};
  if (::stat(path.c_str(), &facts) != 0) return FileLook::kMissing;
  if (S_ISDIR(facts.st_mode)) {
    std::error_code ignored;
    return fs::is_regular_file(fs::path(path) / "__main__.py", ignored) ? FileLook::kPython
                                                                        : FileLook::kFolder;
  }
  const FileDescriptor file(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK));
  std::array<char, 256> start{};
  const ssize_t size = file.is_open() ? ::read(file.number(), start.data(), start.size()) : 0;
  const std::string_view text(start.data(), size > 0 ? static_cast<std::size_t>(size) : 0);
  const std::string_view first_line = text.substr(0, text.find('\n'));
  if (text.starts_with("#!") && first_line.find("python") != std::string_view::npos) return FileLook::kPython;
  if (has_python_ending(path) || text.starts_with("PK\3\4")) return FileLook::kPython;
  if (text.find('\0') != std::string_view::npos) return FileLook::kBinary;
  if (text.starts_with("#!")) return FileLook::kOtherScript;
  return path.ends_with(".py") ? FileLook::kPython : FileLook::kText;
}

std::string search_path_of(const ProgramWords& given) {
  return value_in(given.environment, "PATH").value_or("/usr/local/bin:/usr/bin:/bin");
}

tl::expected<ProfiledProgram, StartFailure> python_program(const ProgramWords& given,
                                                           const std::string& python,
                                                           std::vector<std::string> rest) {
  auto path = find_program(python, search_path_of(given));
  if (!path) return tl::unexpected(path.error());
  ProfiledProgram program;
  program.path = std::move(*path);
  program.is_python = true;
  program.arguments = {python};
  program.arguments.insert(program.arguments.end(), std::make_move_iterator(rest.begin()),
                           std::make_move_iterator(rest.end()));
  return program;
}

/// `python [-u ...] x.py`, `python3 -m pkg`: only where nothing but a script or `-m` follows; `python -c` is
/// a program.
bool runs_a_file(const std::vector<std::string>& words) {
  return words.size() > 1 && (!words[1].starts_with('-') || (words[1] == "-m" && words.size() > 2));
}

}  // namespace

tl::expected<ProfiledProgram, StartFailure> resolve_program(const ProgramWords& given) {
  std::vector<std::string> words = given.words;
  if (words.empty()) return tl::unexpected(StartFailure{kNotFound, "the command is empty"});
  if (given.is_module) {
    std::vector<std::string> rest = {"-m"};
    rest.insert(rest.end(), words.begin(), words.end());
    return python_program(given, given.python, std::move(rest));
  }
  if (is_interpreter(words.front()) && runs_a_file(words)) {
    const std::string python = words.front();
    words.erase(words.begin());
    return python_program(given, python, std::move(words));
  }
  std::string file = words.front();
  FileLook look = look_at(file);
  if (look == FileLook::kFolder)
    return tl::unexpected(StartFailure{
        kNotRunnable, file + ": is a folder, not a program, and has no __main__.py that Python would run"});
  const bool is_here = look == FileLook::kPython || look == FileLook::kText;
  if (is_here) return python_program(given, given.python, std::move(words));
  if (look == FileLook::kMissing) {
    auto path = find_program(file, search_path_of(given));
    if (!path) {
      if (file.ends_with(".py")) return tl::unexpected(StartFailure{kNotFound, file + ": no such file"});
      return tl::unexpected(path.error());
    }
    file = std::move(*path);
    look = look_at(file);
    if (look == FileLook::kMissing) return tl::unexpected(StartFailure{kNotFound, file + ": no such file"});
    if (look == FileLook::kPython) {
      words.front() = file;
      return python_program(given, given.python, std::move(words));
    }
  } else if (file.find('/') == std::string::npos) {
    file = "./" + file;  // as it was found: here, not in PATH
  }
  return ProfiledProgram{file, std::move(words), false};
}

}  // namespace ttscope::capture
