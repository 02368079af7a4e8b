#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace ttscope::terminal {

struct PathCompletion {
  std::string text;                     ///< the typed text, longer where only one way goes on
  std::vector<std::string> candidates;  ///< names that go on from there, folders with `/`; empty: none
};

/// `~` and `~/x` with the home folder in place of the `~`; other texts, and without a home all, as they are.
std::string expand_home(std::string_view path, const std::string& home);

/// Completes the last part of a path as shells do: as far as all names agree that begin with it. Hidden names
/// only count when a dot is typed. The `~` stays as it was typed.
PathCompletion complete_path(const std::string& typed, const std::string& home);

}  // namespace ttscope::terminal
