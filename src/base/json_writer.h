#pragma once

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <optional>
#include <string_view>

#include "base/absent.h"
#include "base/writer.h"

namespace ttscope {

/// Which characters of a JSON string are escaped beside those that must be.
enum class JsonEscapes {
  kHtmlSafe,  ///< `<` and characters that act on a terminal; other UTF-8 is kept
  kAscii,     ///< everything that is not printable ASCII
};

/// The most that `text_bytes` of text can become.
constexpr std::size_t json_escaped_limit(std::size_t text_bytes) { return 6 * text_bytes; }

/// Writes the text as the inside of a JSON string and returns the end of it. json_escaped_limit(text.size())
/// bytes of room are needed. Invalid UTF-8 becomes U+FFFD.
char* put_json_escaped(char* to, std::string_view text, JsonEscapes escapes);

struct JsonStyle {
  bool indented = false;  ///< a line for each element, two spaces a level; otherwise no white space at all
  /// Escape all non-ASCII as \uXXXX and keep `<`, for files that other tools read. Otherwise UTF-8 is kept
  /// and `<` is written as \u003c, so that the document can stand inside an HTML page.
  bool ascii = false;
};

/// Streams one JSON document to a Writer, which must outlive it; it keeps no text itself. Strings may hold
/// any bytes: control characters are escaped and invalid UTF-8 is replaced by U+FFFD. Within an object each
/// value has a name: field(), or one of the scopes with a name. Not thread safe.
///
///   JsonWriter json(out, {.indented = true});
///   json.object([&] {
///     json.field("ops", 12);
///     json.object("peak", [&] { json.field("op", id_or_null(peak.op)); });
///     json.objects("devices", devices, [&](const Device& device) { json.field("name", device.name); });
///   });
class JsonWriter {
 public:
  explicit JsonWriter(Writer& out, JsonStyle style = {}) : out_(out), style_(style) {}

  /// For a document that is put together from pieces; otherwise the scopes below.
  void begin_object() { begin('{'); }
  void end_object() { end('}'); }
  void begin_array() { begin('['); }
  void end_array() { end(']'); }

  void key(std::string_view name);

  void value(std::string_view text);
  void value(const char* text) { value(std::string_view(text)); }
  void value(std::int64_t number);
  void value(std::uint64_t number);
  /// Shortest text that reads back to the same number, as Python's repr: `0.0`, `3.814697265625e-06`. NaN and
  /// infinity, which JSON does not have, become null.
  void value(double number);
  void value(bool truth) { raw(truth ? "true" : "false"); }
  void value(std::nullptr_t) { raw("null"); }
  void value(char) = delete;
  template <std::integral T>
  void value(T number) {
    if constexpr (std::signed_integral<T>) {
      value(static_cast<std::int64_t>(number));
    } else {
      value(static_cast<std::uint64_t>(number));
    }
  }
  template <typename T>
  void value(const std::optional<T>& maybe) {
    if (maybe) {
      value(*maybe);
    } else {
      value(nullptr);
    }
  }

  /// A value that is JSON already; written as it is.
  void raw(std::string_view json);

  /// key() and value() in one.
  template <typename T>
  void field(std::string_view name, const T& content) {
    key(name);
    value(content);
  }

  /// The same for a value that is JSON already.
  void raw_field(std::string_view name, std::string_view json) {
    key(name);
    raw(json);
  }

  /// An object; `write()` writes its fields.
  template <typename Write>
  void object(Write write) {
    begin('{');
    write();
    end('}');
  }
  template <typename Write>
  void object(std::string_view name, Write write) {
    key(name);
    object(write);
  }

  /// An array; `write()` writes its elements.
  template <typename Write>
  void array(Write write) {
    begin('[');
    write();
    end(']');
  }
  template <typename Write>
  void array(std::string_view name, Write write) {
    key(name);
    array(write);
  }

  /// An array of values as they are.
  template <typename Items>
  void list(std::string_view name, const Items& items) {
    list(name, items, [&](const auto& item) { value(item); });
  }
  void list(std::string_view name, std::initializer_list<std::string_view> texts) {
    list(name, texts, [&](std::string_view text) { value(text); });
  }
  /// An array; `write(item)` writes one value for each item.
  template <typename Items, typename Write>
  void list(std::string_view name, const Items& items, Write write) {
    array(name, [&] {
      for (const auto& item : items) write(item);
    });
  }
  /// An array of objects; `write(item)` writes the fields of one.
  template <typename Items, typename Write>
  void objects(std::string_view name, const Items& items, Write write) {
    list(name, items, [&](const auto& item) { object([&] { write(item); }); });
  }

 private:
  void begin(char bracket);
  void end(char bracket);
  /// Leaves room for what follows a key; the caller commits.
  char* put_string(std::string_view text);
  char* separated(char* to);
  char* new_line(char* to) const;

  Writer& out_;
  JsonStyle style_;
  std::size_t depth_ = 0;
  bool first_ = true;       ///< no element yet in the innermost container
  bool after_key_ = false;  ///< the next value stands on the line of its key
};

}  // namespace ttscope
