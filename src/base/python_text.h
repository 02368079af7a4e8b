#pragma once

#include <string>
#include <string_view>

namespace ttscope {

/// Appends a text as Python's repr() prints it: `'it'`, `"it's"`, `'a\n'`.
void append_python_repr(std::string& to, std::string_view text);
/// Appends a number as Python's str() of a float: `0.02`, `1e+16`, `nan`, `inf`.
void append_python_float(std::string& to, double number);
/// Rounds as Python's round(number, digits) does: to the decimal text nearest the number, ties to even.
double python_round(double number, int digits);

}  // namespace ttscope
