#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace ttscope {

/// Between single quotes: a shell takes it as one word, whatever is in it.
std::string shell_quoted(std::string_view word);

/// A word as a person types it into a shell: quoted only where it must be.
std::string shell_word(std::string_view word);

/// A command as it could be typed into a shell, fit for a terminal.
std::string shell_command(const std::vector<std::string>& command);

}  // namespace ttscope
