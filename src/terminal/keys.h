#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace ttscope::terminal {

enum class KeyCode : std::uint8_t {
  kUnknown,    ///< a sequence that means nothing here
  kCharacter,  ///< `text` is the character in UTF-8
  kControl,    ///< Ctrl and the small letter in `text`
  kEnter,
  kTab,
  kBackTab,
  kBackspace,
  kDelete,
  kEscape,
  kUp,
  kDown,
  kLeft,
  kRight,
  kWordLeft,
  kWordRight,
  kHome,
  kEnd,
  kPageUp,
  kPageDown,
  kPasteBegin,  ///< what follows is pasted, not typed
  kPasteEnd,
};

/// A key that was pressed.
struct Key {
  KeyCode code = KeyCode::kUnknown;
  std::string text{};

  bool is(KeyCode other) const { return code == other; }
  bool is_control(char letter) const { return code == KeyCode::kControl && text[0] == letter; }
  /// A character, whether typed small or large.
  bool is_letter(char small) const {
    return code == KeyCode::kCharacter && text.size() == 1 &&
           (text[0] == small || text[0] == small - 'a' + 'A');
  }
};

/// What a prompt does after a key.
enum class KeyOutcome : std::uint8_t {
  kGoOn,
  kDone,       ///< answered
  kBack,       ///< left without an answer
  kInterrupt,  ///< Ctrl-C
  kEnd,        ///< Ctrl-D: no more input
  kComplete,   ///< Tab: the text is to be completed
};

struct DecodedKey {
  Key key{};
  std::size_t size_bytes = 0;  ///< how much of the input it takes; 0: the rest of it is still to come
};

/// The first key in what a terminal in raw mode sent, which must not be empty. The Esc key and the first byte
/// of an arrow key are the same byte: only time tells them apart. So a start of a sequence takes nothing
/// unless `nothing_follows`, when the caller has waited long enough.
DecodedKey decode_key(std::string_view bytes, bool nothing_follows);

}  // namespace ttscope::terminal
