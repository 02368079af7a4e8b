#include "cli/menu/argument_line.h"

#include <fmt/format.h>

#include <filesystem>

namespace ttscope::cli {
namespace {

constexpr std::string_view kBlanks = " \t\r\n";

bool is_blank(char c) { return kBlanks.find(c) != std::string_view::npos; }

tl::unexpected<Error> unfinished(char mark) {
  return failure(bad_input(fmt::format("the line ends before what its {} begins", mark)));
}

/// Takes one word apart; `at` moves behind it.
Result<std::string> take_word(const std::string& line, std::size_t& at) {
  std::string word;
  char quote = '\0';
  for (; at < line.size() && (quote != '\0' || !is_blank(line[at])); ++at) {
    const char c = line[at];
    if (quote == '\0' && (c == '\'' || c == '"')) {
      quote = c;
    } else if (c == quote) {
      quote = '\0';
    } else if (c == '\\' && quote != '\'') {
      if (at + 1 == line.size()) return unfinished(c);
      const char next = line[++at];
      if (quote == '"' && next != '"' && next != '\\') word += c;
      word += next;
    } else {
      word += c;
    }
  }
  if (quote != '\0') return unfinished(quote);
  return word;
}

std::string trimmed(const std::string& text) {
  const std::size_t first = text.find_first_not_of(kBlanks);
  return first == std::string::npos ? std::string()
                                    : text.substr(first, text.find_last_not_of(kBlanks) - first + 1);
}

}  // namespace

Result<std::vector<std::string>> split_arguments(const std::string& line) {
  std::vector<std::string> words;
  for (std::size_t at = 0; at < line.size();) {
    if (is_blank(line[at])) {
      ++at;
      continue;
    }
    Result<std::string> word = take_word(line, at);
    if (!word) return failure(word.error());
    words.push_back(std::move(*word));
  }
  return words;
}

std::string meant_path(const std::string& answer) {
  std::error_code ignored;
  if (answer.empty() || std::filesystem::exists(answer, ignored)) return answer;
  std::string text = trimmed(answer);
  if (std::filesystem::exists(text, ignored)) return text;
  const Result<std::vector<std::string>> words = split_arguments(text);
  const bool is_quoted = words && words->size() == 1 && std::filesystem::exists(words->front(), ignored);
  return is_quoted ? words->front() : text;
}

}  // namespace ttscope::cli
