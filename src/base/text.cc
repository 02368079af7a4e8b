#include "base/text.h"

#include <algorithm>
#include <cstring>

namespace ttscope {
namespace {

constexpr std::uint64_t kHighBits = 0x8080808080808080;
constexpr std::uint64_t kOnes = 0x0101010101010101;

std::uint64_t load_word(const char* from) {
  std::uint64_t word = 0;
  std::memcpy(&word, from, sizeof word);
  return word;
}

/// What a first byte says about its sequence. The range of the second byte is what excludes overlong forms,
/// surrogates and values over U+10FFFF.
struct Lead {
  std::uint32_t size_bytes = 0;  ///< 0: no sequence starts with this byte
  unsigned char second_low = 0x80;
  unsigned char second_high = 0xBF;
};

Lead lead_of(unsigned char byte) {
  if (byte >= 0xC2 && byte <= 0xDF) return {2};
  if (byte == 0xE0) return {3, 0xA0, 0xBF};
  if (byte == 0xED) return {3, 0x80, 0x9F};
  if (byte >= 0xE1 && byte <= 0xEF) return {3};
  if (byte == 0xF0) return {4, 0x90, 0xBF};
  if (byte == 0xF4) return {4, 0x80, 0x8F};
  if (byte >= 0xF1 && byte <= 0xF3) return {4};
  return {};
}

std::size_t ascii_prefix(std::string_view text) {
  std::size_t at = 0;
  while (at + 8 <= text.size() && (load_word(text.data() + at) & kHighBits) == 0) at += 8;
  while (at < text.size() && static_cast<unsigned char>(text[at]) < 0x80) ++at;
  return at;
}

/// Where the first invalid byte is, or the size of the text.
std::size_t valid_prefix(std::string_view text) {
  std::size_t at = 0;
  for (;;) {
    at += ascii_prefix(text.substr(at));
    if (at == text.size()) return at;
    const DecodedCharacter character = decode_utf8(text.substr(at));
    if (!character.valid) return at;
    at += character.size_bytes;
  }
}

}  // namespace

DecodedCharacter decode_utf8(std::string_view text) {
  const auto byte = [text](std::size_t at) { return static_cast<unsigned char>(text[at]); };
  if (byte(0) < 0x80) return {byte(0), 1, true};
  const Lead lead = lead_of(byte(0));
  if (lead.size_bytes == 0) return {};
  char32_t code_point = byte(0) & (0x7Fu >> lead.size_bytes);
  for (std::uint32_t at = 1; at < lead.size_bytes; ++at) {
    const unsigned char low = at == 1 ? lead.second_low : 0x80;
    const unsigned char high = at == 1 ? lead.second_high : 0xBF;
    if (at >= text.size() || byte(at) < low || byte(at) > high) return {kReplacementCharacter, at, false};
    code_point = code_point << 6 | (byte(at) & 0x3Fu);
  }
  return {code_point, lead.size_bytes, true};
}

void append_utf8(std::string& to, char32_t code_point) {
  const auto tail = [&](int shift) { to += static_cast<char>(0x80 | (code_point >> shift & 0x3F)); };
  if (code_point < 0x80) {
    to += static_cast<char>(code_point);
  } else if (code_point < 0x800) {
    to += static_cast<char>(0xC0 | code_point >> 6);
    tail(0);
  } else if (code_point < 0x10000) {
    to += static_cast<char>(0xE0 | code_point >> 12);
    tail(6);
    tail(0);
  } else {
    to += static_cast<char>(0xF0 | code_point >> 18);
    tail(12);
    tail(6);
    tail(0);
  }
}

std::string_view utf8_prefix(std::string_view text, std::size_t most_bytes) {
  if (text.size() <= most_bytes) return text;
  constexpr std::size_t kMaxTailBytes = 3;  // bytes of a character behind its first
  std::size_t end = most_bytes;
  while (end > 0 && most_bytes - end < kMaxTailBytes &&
         (static_cast<unsigned char>(text[end]) & 0xC0) == 0x80)
    --end;
  return text.substr(0, end);
}

bool is_valid_utf8(std::string_view text) { return valid_prefix(text) == text.size(); }

std::string utf8_repaired(std::string_view text) {
  std::string repaired;
  repaired.reserve(text.size());
  for (;;) {
    const std::size_t good = valid_prefix(text);
    repaired += text.substr(0, good);
    text.remove_prefix(good);
    if (text.empty()) return repaired;
    repaired += kReplacementUtf8;
    text.remove_prefix(decode_utf8(text).size_bytes);
  }
}

bool is_control_character(char32_t code_point) {
  if (code_point < 0x20 || (code_point >= 0x7F && code_point <= 0x9F)) return true;
  if (code_point == 0x061C || code_point == 0x200E || code_point == 0x200F) return true;
  return (code_point >= 0x2028 && code_point <= 0x202E) || (code_point >= 0x2066 && code_point <= 0x2069);
}

std::size_t printable_ascii_prefix(std::string_view text) {
  std::size_t at = 0;
  for (; at + 8 <= text.size(); at += 8) {
    const std::uint64_t word = load_word(text.data() + at);
    // A byte under 0x20 borrows, one over 0x7E reaches the high bit; carries can only add alarms, never hide
    // one.
    const std::uint64_t alarms = word | (word - 0x20 * kOnes) | (word + kOnes);
    if ((alarms & kHighBits) != 0) break;
  }
  while (at < text.size() && text[at] >= 0x20 && text[at] < 0x7F) ++at;
  return at;
}

namespace {

constexpr std::size_t kFileNameBytes = 120;

void append_visible(std::string& to, char32_t control) {
  switch (control) {
    case '\n':
      to += "\\n";
      return;
    case '\r':
      to += "\\r";
      return;
    case '\t':
      to += "\\t";
      return;
    default:
      break;
  }
  constexpr char kLowerDigits[] = "0123456789abcdef";
  constexpr char kUpperDigits[] = "0123456789ABCDEF";
  if (control < 0x100) {
    to += "\\x";
    to += kLowerDigits[control >> 4];
    to += kLowerDigits[control & 0xF];
  } else {  // all of them have four digits, which are written as in the names of the Unicode tables
    to += "\\u{";
    for (int shift = 12; shift >= 0; shift -= 4) to += kUpperDigits[control >> shift & 0xF];
    to += '}';
  }
}

/// Appends the first character of `text`, which is not printable ASCII, and removes it from there.
void append_unprintable(std::string& to, std::string_view& text) {
  const DecodedCharacter character = decode_utf8(text);
  if (!character.valid) {
    to += kReplacementUtf8;
  } else if (is_control_character(character.code_point)) {
    append_visible(to, character.code_point);
  } else {
    to += text.substr(0, character.size_bytes);
  }
  text.remove_prefix(character.size_bytes);
}

/// Calls `append_printable(run, rest)` for each run of printable ASCII; what lies between is made visible.
template <typename AppendPrintable>
std::string escaped(std::string_view text, AppendPrintable append_printable) {
  std::string safe;
  safe.reserve(text.size());
  while (!text.empty()) {
    const std::string_view run = text.substr(0, printable_ascii_prefix(text));
    text.remove_prefix(run.size());
    append_printable(safe, run);
    if (!text.empty()) append_unprintable(safe, text);
  }
  return safe;
}

/// What HTML reads as a tag or an entity, as text; false: `c` is neither.
bool append_entity(std::string& to, char c) {
  if (c == '<') {
    to += "&lt;";
  } else if (c == '>') {
    to += "&gt;";
  } else if (c == '&') {
    to += "&amp;";
  } else {
    return false;
  }
  return true;
}

void append_markdown(std::string& to, std::string_view run) {
  constexpr std::string_view kActive = "|`\\*";
  constexpr std::string_view kLinks = "([:";  // behind what stands in brackets
  for (std::size_t at = 0; at < run.size(); ++at) {
    const char c = run[at];
    const bool makes_link =
        c == ']' && at + 1 < run.size() && kLinks.find(run[at + 1]) != std::string_view::npos;
    if (append_entity(to, c)) continue;
    if (kActive.find(c) != std::string_view::npos || makes_link) to += '\\';
    to += c;
  }
}

/// Characters of Latin-1's controls that no text has: around a marked name.
constexpr char kNameBegin = '\x02';
constexpr char kNameEnd = '\x03';

bool is_digit(char c) { return c >= '0' && c <= '9'; }

bool contains_folded(std::string_view word, std::string_view lower) {
  const auto same = [](char a, char b) { return (a >= 'A' && a <= 'Z' ? a + ('a' - 'A') : a) == b; };
  return std::search(word.begin(), word.end(), lower.begin(), lower.end(), same) != word.end();
}

/// Whether a reader of markdown makes a link or a mention of a word: an address, @somebody, #12, GH-12.
bool is_active(std::string_view word) {
  if (word.find('@') != std::string_view::npos) return true;
  for (const std::string_view link : {"://", "www.", "mailto:", "xmpp:"}) {
    if (contains_folded(word, link)) return true;
  }
  // `#12` and `owner/repository#12`; `main#2` is none.
  const std::size_t hash = word.find('#');
  const bool is_number = hash != std::string_view::npos && hash + 1 < word.size() && is_digit(word[hash + 1]);
  if (is_number && (hash == 0 || word.find('/') < hash)) return true;
  return word.size() > 3 && contains_folded(word.substr(0, 3), "gh-") && is_digit(word[3]);
}

/// A word of a sentence, without the punctuation around it when it has to be quoted.
void append_word(std::string& to, std::string_view word) {
  constexpr std::string_view kBefore = "(\"'";
  constexpr std::string_view kAfter = ",.;:)\"'";
  const std::size_t begin = std::min(word.find_first_not_of(kBefore), word.size());
  const std::size_t end = std::max(begin, word.find_last_not_of(kAfter) + 1);
  if (word == "*") {  // a product: nothing is emphasised
    to += word;
  } else if (is_active(word.substr(begin, end - begin))) {
    to += word.substr(0, begin);
    to += markdown_code(word.substr(begin, end - begin));
    to += word.substr(end);
  } else {
    to += escaped(word, append_markdown);
  }
}

void append_markup(std::string& to, std::string_view run) {
  for (const char c : run) {
    if (!append_entity(to, c)) to += c;
  }
}

/// Characters that separate folders or have a meaning to a shell or another file system.
bool fits_file_name(const DecodedCharacter& character) {
  constexpr std::string_view kUnfit = "/\\:*?\"<>|";
  if (!character.valid || is_control_character(character.code_point)) return false;
  return character.code_point >= 0x80 ||
         kUnfit.find(static_cast<char>(character.code_point)) == std::string_view::npos;
}

}  // namespace

std::string terminal_safe(std::string_view text) {
  return escaped(text, [](std::string& to, std::string_view run) { to += run; });
}

std::string markdown_code(std::string_view name) {
  if (name.empty()) return {};
  std::string text;
  std::size_t run = 0;
  std::size_t longest = 0;
  for (const char c : terminal_safe(name)) {
    run = c == '`' ? run + 1 : 0;
    longest = std::max(longest, run);
    if (c == '|') text += '\\';  // tables are cut into cells before code is looked for
    text += c;
  }
  std::string fence(longest + 1, '`');
  // A backtick at an end would be taken for one of the fence; one blank at both ends is not shown.
  const bool is_padded = longest > 0 || (text.front() == ' ' && text.back() == ' ');
  const std::string_view padding = is_padded ? " " : "";
  return fence.append(padding).append(text).append(padding).append(longest + 1, '`');
}

std::string markdown_cell(std::string_view text) {
  std::string cell;
  while (!text.empty()) {
    std::size_t end = 0;
    if (text.front() == kNameBegin && (end = text.find(kNameEnd)) != std::string_view::npos) {
      cell += markdown_code(text.substr(1, end - 1));
      text.remove_prefix(end + 1);
      continue;
    }
    end = std::min(text.find_first_of(" \x02"), text.size());
    append_word(cell, text.substr(0, end));
    text.remove_prefix(end);
    // A mark without an end is a control character as any other.
    const bool is_mark = !text.empty() && text.front() == kNameBegin;
    if (text.empty() || (is_mark && text.find(kNameEnd) != std::string_view::npos)) continue;
    cell += is_mark ? terminal_safe(text.substr(0, 1)) : " ";
    text.remove_prefix(1);
  }
  return cell;
}

std::string marked_name(std::string_view name) {
  if (name.empty()) return {};
  return kNameBegin + terminal_safe(name) + kNameEnd;
}

std::string with_marked_names(std::string_view sentence, std::vector<std::string> names) {
  std::sort(names.begin(), names.end(), [](const std::string& a, const std::string& b) {
    return a.size() != b.size() ? a.size() > b.size() : a < b;
  });
  const auto is_word = [](char c) {
    return is_digit(c) || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
  };
  const auto stands_at = [&](std::size_t at, std::string_view name) {
    if (name.empty() || sentence.substr(at, name.size()) != name) return false;
    const std::size_t end = at + name.size();
    const bool begins = at == 0 || !is_word(name.front()) || !is_word(sentence[at - 1]);
    return begins && (end == sentence.size() || !is_word(name.back()) || !is_word(sentence[end]));
  };
  std::string marked;
  for (std::size_t at = 0; at < sentence.size();) {
    const auto name =
        std::find_if(names.begin(), names.end(), [&](const std::string& one) { return stands_at(at, one); });
    marked += name == names.end() ? std::string(1, sentence[at]) : marked_name(*name);
    at += name == names.end() ? 1 : name->size();
  }
  return marked;
}

std::string markup_text(std::string_view text) { return escaped(text, append_markup); }

std::string file_name_safe(std::string_view text) {
  std::string name;
  const std::size_t start = text.find_first_not_of(". ");
  text.remove_prefix(start == std::string_view::npos ? text.size() : start);
  while (!text.empty()) {
    const DecodedCharacter character = decode_utf8(text);
    const std::string_view piece = fits_file_name(character) ? text.substr(0, character.size_bytes) : "_";
    if (name.size() + piece.size() > kFileNameBytes) break;
    name += piece;
    text.remove_prefix(character.size_bytes);
  }
  name.erase(name.find_last_not_of(". ") + 1);
  if (name.empty()) return "log";
  if (name[0] == '-') name[0] = '_';  // a command would take it for an option
  return name;
}

namespace {

bool is_plain_word(std::string_view word) {
  constexpr std::string_view kPlain =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_@%+=:,./-";
  return !word.empty() && word.find_first_not_of(kPlain) == std::string_view::npos;
}

}  // namespace

std::string shell_quoted(std::string_view word) {
  std::string text = "'";
  for (const char c : word) {
    if (c == '\'') {
      text += "'\\''";
    } else {
      text += c;
    }
  }
  return text + "'";
}

std::string shell_word(std::string_view word) {
  return is_plain_word(word) ? std::string(word) : shell_quoted(word);
}

std::string shell_command(const std::vector<std::string>& command) {
  std::string text;
  for (const std::string& word : command) {
    if (!text.empty()) text += ' ';
    text += shell_word(word);
  }
  return terminal_safe(text);
}

namespace {

constexpr std::size_t kMaxGivenNameLength = 40;

}  // namespace

std::size_t edit_distance(std::string_view a, std::string_view b) {
  std::vector<std::vector<std::size_t>> cost(a.size() + 1, std::vector<std::size_t>(b.size() + 1));
  for (std::size_t i = 0; i <= a.size(); ++i) cost[i][0] = i;
  for (std::size_t j = 0; j <= b.size(); ++j) cost[0][j] = j;
  for (std::size_t i = 1; i <= a.size(); ++i) {
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const std::size_t replaced = cost[i - 1][j - 1] + (a[i - 1] == b[j - 1] ? 0 : 1);
      cost[i][j] = std::min({cost[i - 1][j] + 1, cost[i][j - 1] + 1, replaced});
      const bool swapped = i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1];
      if (swapped) cost[i][j] = std::min(cost[i][j], cost[i - 2][j - 2] + 1);
    }
  }
  return cost[a.size()][b.size()];
}

std::string_view nearest_name(std::string_view given, const std::vector<std::string_view>& candidates) {
  if (given.empty() || given.size() > kMaxGivenNameLength) return {};
  std::string_view best;
  std::size_t best_distance = std::max<std::size_t>(given.size() / 3, 1) + 1;
  for (const std::string_view candidate : candidates) {
    const bool is_start = given.size() >= 3 && candidate.substr(0, given.size()) == given;
    const std::size_t distance = is_start ? 0 : edit_distance(given, candidate);
    if (distance >= best_distance) continue;
    best = candidate;
    best_distance = distance;
  }
  return best;
}

}  // namespace ttscope
