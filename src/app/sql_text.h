#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace ttscope::app {

/// The statements of a text, which semicolons part; those in texts, names and comments do not. Without the
/// semicolons; none that is empty or only a comment.
std::vector<std::string> statements_of(std::string_view sql);

/// Whether more must follow: a statement without its semicolon, or a text, name or comment without its end.
bool is_open_statement(std::string_view sql);

}  // namespace ttscope::app
