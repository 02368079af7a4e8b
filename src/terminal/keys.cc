#include "terminal/keys.h"

#include <algorithm>
#include <charconv>

#include "base/text.h"

namespace ttscope::terminal {
namespace {

constexpr char kEscapeByte = '\x1b';
/// Longer sequences are not sent by any key.
constexpr std::size_t kMaxSequenceLength = 32;

struct Parameters {
  int first = 0;
  int modifier = 1;  ///< 1 + bits: 1 shift, 2 alt, 4 control
};

/// `1;5` of `ESC [ 1 ; 5 C`
Parameters parameters_of(std::string_view text) {
  Parameters found;
  const std::size_t semicolon = std::min(text.find(';'), text.size());
  std::from_chars(text.data(), text.data() + semicolon, found.first);
  if (semicolon < text.size())
    std::from_chars(text.data() + semicolon + 1, text.data() + text.size(), found.modifier);
  return found;
}

/// `ESC [ 5 ~`
KeyCode code_of_number(int number) {
  switch (number) {
    case 1:
    case 7:
      return KeyCode::kHome;
    case 4:
    case 8:
      return KeyCode::kEnd;
    case 3:
      return KeyCode::kDelete;
    case 5:
      return KeyCode::kPageUp;
    case 6:
      return KeyCode::kPageDown;
    case 200:
      return KeyCode::kPasteBegin;
    case 201:
      return KeyCode::kPasteEnd;
    default:
      return KeyCode::kUnknown;
  }
}

/// `ESC [ A`, and `ESC O A` as terminals in application mode send it.
KeyCode code_of_letter(char letter, bool is_modified) {
  switch (letter) {
    case 'A':
      return KeyCode::kUp;
    case 'B':
      return KeyCode::kDown;
    case 'C':
      return is_modified ? KeyCode::kWordRight : KeyCode::kRight;
    case 'D':
      return is_modified ? KeyCode::kWordLeft : KeyCode::kLeft;
    case 'H':
      return KeyCode::kHome;
    case 'F':
      return KeyCode::kEnd;
    case 'Z':
      return KeyCode::kBackTab;
    case 'M':
      return KeyCode::kEnter;  // of the keypad
    default:
      return KeyCode::kUnknown;
  }
}

bool is_between(char c, char low, char high) { return c >= low && c <= high; }

/// Behind `ESC [`: parameters and fillers, then a final byte.
DecodedKey decode_control_sequence(std::string_view bytes, bool nothing_follows) {
  std::size_t at = 2;
  while (at < bytes.size() && at < kMaxSequenceLength && is_between(bytes[at], ' ', '?')) ++at;
  if (at == kMaxSequenceLength) return {{}, at};
  if (at == bytes.size()) return {{}, nothing_follows ? at : 0};
  if (!is_between(bytes[at], '@', '~')) return {{}, at};
  const std::string_view text = bytes.substr(2, at - 2);
  if (bytes[at] == '[' && text.empty()) {  // `ESC [ [ A`: function keys of the Linux console
    if (at + 1 == bytes.size()) return {{}, nothing_follows ? at + 1 : 0};
    return {{}, at + 2};
  }
  const Parameters parameters = parameters_of(text);
  const KeyCode code = bytes[at] == '~'   ? code_of_number(parameters.first)
                       : bytes[at] == 'M' ? KeyCode::kUnknown  // without ESC O it is a report of the mouse
                                          : code_of_letter(bytes[at], parameters.modifier > 1);
  return {{code}, at + 1};
}

DecodedKey decode_escape(std::string_view bytes, bool nothing_follows) {
  if (bytes.size() == 1) return nothing_follows ? DecodedKey{{KeyCode::kEscape}, 1} : DecodedKey{};
  if (bytes[1] == '[') return decode_control_sequence(bytes, nothing_follows);
  if (bytes[1] == 'O') {
    if (bytes.size() == 2) return {{}, nothing_follows ? std::size_t{2} : 0};
    return {{code_of_letter(bytes[2], false)}, 3};
  }
  return {{KeyCode::kEscape}, 1};  // Esc and then something else, typed quickly
}

DecodedKey decode_control(char byte) {
  switch (byte) {
    case '\r':
    case '\n':
      return {{KeyCode::kEnter}, 1};
    case '\t':
      return {{KeyCode::kTab}, 1};
    case '\b':
    case '\x7f':
      return {{KeyCode::kBackspace}, 1};
    default:
      break;
  }
  if (byte >= 1 && byte <= 26)
    return {{KeyCode::kControl, std::string(1, static_cast<char>('a' + byte - 1))}, 1};
  return {{}, 1};
}

}  // namespace

DecodedKey decode_key(std::string_view bytes, bool nothing_follows) {
  if (bytes[0] == kEscapeByte) return decode_escape(bytes, nothing_follows);
  const auto first = static_cast<unsigned char>(bytes[0]);
  if (first < 0x20 || first == 0x7F) return decode_control(bytes[0]);
  const DecodedCharacter character = decode_utf8(bytes);
  if (character.valid) {
    if (is_control_character(character.code_point)) return {{}, character.size_bytes};
    return {{KeyCode::kCharacter, std::string(bytes.substr(0, character.size_bytes))}, character.size_bytes};
  }
  // A character cut at the end of what has been read.
  const bool is_cut = character.size_bytes == bytes.size() && first >= 0xC2 && first <= 0xF4;
  if (is_cut && !nothing_follows) return {};
  return {{}, character.size_bytes};
}

}  // namespace ttscope::terminal
