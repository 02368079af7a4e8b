#include "terminal/keys.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace ttscope::terminal {
namespace {

using namespace std::string_literals;

KeyCode code_of(std::string_view bytes) {
  const DecodedKey decoded = decode_key(bytes, false);
  EXPECT_EQ(decoded.size_bytes, bytes.size()) << bytes.substr(1);
  return decoded.key.code;
}

TEST(KeyDecoder, KeysOfManyTerminals) {
  const std::vector<std::pair<std::string, KeyCode>> keys = {
      {"\x1b[A", KeyCode::kUp},          {"\x1bOA", KeyCode::kUp},        {"\x1b[B", KeyCode::kDown},
      {"\x1b[C", KeyCode::kRight},       {"\x1b[D", KeyCode::kLeft},      {"\x1bOD", KeyCode::kLeft},
      {"\x1b[H", KeyCode::kHome},        {"\x1bOH", KeyCode::kHome},      {"\x1b[1~", KeyCode::kHome},
      {"\x1b[7~", KeyCode::kHome},       {"\x1b[F", KeyCode::kEnd},       {"\x1b[4~", KeyCode::kEnd},
      {"\x1b[8~", KeyCode::kEnd},        {"\x1b[3~", KeyCode::kDelete},   {"\x1b[5~", KeyCode::kPageUp},
      {"\x1b[6~", KeyCode::kPageDown},   {"\x1b[Z", KeyCode::kBackTab},   {"\x1b[1;5C", KeyCode::kWordRight},
      {"\x1b[1;3D", KeyCode::kWordLeft}, {"\x1b[1;2A", KeyCode::kUp},     {"\r", KeyCode::kEnter},
      {"\n", KeyCode::kEnter},           {"\x1bOM", KeyCode::kEnter},     {"\t", KeyCode::kTab},
      {"\x7f", KeyCode::kBackspace},     {"\b", KeyCode::kBackspace},     {"\x1b[200~", KeyCode::kPasteBegin},
      {"\x1b[201~", KeyCode::kPasteEnd}, {"\x1b[15~", KeyCode::kUnknown}, {"\x1b[[A", KeyCode::kUnknown},
      {"\x1b[?1;2c", KeyCode::kUnknown}, {"\0"s, KeyCode::kUnknown},      {"\x1c", KeyCode::kUnknown},
  };
  for (const auto& [bytes, code] : keys) EXPECT_EQ(code_of(bytes), code) << bytes.substr(1);
}

TEST(KeyDecoder, LettersOfControl) {
  EXPECT_TRUE(decode_key("\x03", false).key.is_control('c'));
  EXPECT_TRUE(decode_key("\x1a", false).key.is_control('z'));
  EXPECT_FALSE(decode_key("c", false).key.is_control('c'));
}

TEST(KeyDecoder, CharactersInUtf8) {
  for (const std::string character : {"q", "ß", "模", "🤙"}) {
    const DecodedKey decoded = decode_key(character + "x", false);
    EXPECT_EQ(decoded.key.code, KeyCode::kCharacter);
    EXPECT_EQ(decoded.key.text, character);
    EXPECT_EQ(decoded.size_bytes, character.size());
    for (std::size_t size = 1; size < character.size(); ++size) {
      EXPECT_EQ(decode_key(character.substr(0, size), false).size_bytes, 0U) << "the rest is still to come";
      EXPECT_EQ(decode_key(character.substr(0, size), true).key.code, KeyCode::kUnknown);
    }
  }
}

TEST(KeyDecoder, BytesThatAreNoTextAreSkipped) {
  for (const std::string bytes : {"\xff", "\x80", "\xc0", "\xc2\x9b", "\xe2\x80\xae"}) {
    EXPECT_EQ(code_of(bytes), KeyCode::kUnknown);
  }
}

TEST(KeyDecoder, EscapeAloneIsToldFromASequenceByTime) {
  EXPECT_EQ(decode_key("\x1b", false).size_bytes, 0U);
  EXPECT_EQ(decode_key("\x1b", true).key.code, KeyCode::kEscape);
  for (const std::string_view start : {"\x1b[", "\x1b[1", "\x1b[1;", "\x1bO", "\x1b[["}) {
    EXPECT_EQ(decode_key(start, false).size_bytes, 0U);
    const DecodedKey given_up = decode_key(start, true);
    EXPECT_EQ(given_up.key.code, KeyCode::kUnknown);
    EXPECT_EQ(given_up.size_bytes, start.size());
  }
}

TEST(KeyDecoder, EscapeTypedQuicklyBeforeSomethingElse) {
  for (const std::string_view bytes : {"\x1bq", "\x1b\x1b[A", "\x1b\r"}) {
    const DecodedKey decoded = decode_key(bytes, false);
    EXPECT_EQ(decoded.key.code, KeyCode::kEscape);
    EXPECT_EQ(decoded.size_bytes, 1U);
  }
}

TEST(KeyDecoder, EndlessParametersEnd) {
  const DecodedKey decoded = decode_key("\x1b[" + std::string(1000, '1'), false);
  EXPECT_EQ(decoded.key.code, KeyCode::kUnknown);
  EXPECT_GT(decoded.size_bytes, 0U);
  EXPECT_LT(decoded.size_bytes, 100U);
}

}  // namespace
}  // namespace ttscope::terminal
