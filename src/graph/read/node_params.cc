#include <algorithm>
#include <charconv>
#include <cstring>

#include "base/json_reader.h"
#include "base/text.h"
#include "graph/read/node_reader.h"

namespace ttscope::graph {
namespace {

void skip_blanks(std::string_view& text) {
  while (!text.empty() && is_blank_or_break(text.front())) text.remove_prefix(1);
}

bool skip(std::string_view& text, std::string_view wanted) {
  skip_blanks(text);
  if (!text.starts_with(wanted)) return false;
  text.remove_prefix(wanted.size());
  return true;
}

bool skip_digits(std::string_view& text, std::int64_t& number) {
  skip_blanks(text);
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc() || number < 0) return false;
  text.remove_prefix(static_cast<std::size_t>(end - text.data()));
  return true;
}

/// Where this key stands. Quotes inside of texts are escaped, so a quoted word with a colon behind it can
/// only be a key. `rare` is where in the key a letter stands that is seldom elsewhere: the search goes from
/// one to the next.
std::size_t find_key(std::string_view text, std::string_view quoted_key, std::size_t rare) {
  for (std::size_t at = text.find(quoted_key[rare]); at != std::string_view::npos;
       at = text.find(quoted_key[rare], at + 1)) {
    if (at < rare || text.substr(at - rare, quoted_key.size()) != quoted_key) continue;
    std::string_view behind = text.substr(at - rare + quoted_key.size());
    return skip(behind, ":") ? at - rare : std::string_view::npos;
  }
  return std::string_view::npos;
}

/// Whether a text is one field with a string as value and a comma, and nothing else. Quotes inside of a
/// string are escaped, so three of these characters in a row can only stand between two fields.
bool is_only_field(std::string_view text, std::string_view with_next_quote) {
  constexpr std::string_view kBetween = "\",\"";
  const void* found =
      ::memmem(with_next_quote.data(), with_next_quote.size(), kBetween.data(), kBetween.size());
  if (found != nullptr) return static_cast<const char*>(found) + 2 == text.data() + text.size();
  JsonCursor cursor(text);
  return cursor.take_string() && cursor.take(':') && cursor.take_string() && cursor.take(',') &&
         cursor.is_at_end();
}

}  // namespace

SplitAddress split_address(std::string_view params) {
  std::string_view text = params;
  SplitAddress split;
  split.rest = params;
  if (!skip(text, "{") || !skip(text, "\"address\"") || !skip(text, ":")) return split;
  if (!skip_digits(text, split.address) || !skip(text, ",")) return split;
  split.found = true;
  split.rest = text;
  return split;
}

SplitTensor split_tensor(std::string_view params, std::string& key) {
  SplitTensor split;
  const SplitAddress head = split_address(params);
  const std::string_view rest = head.rest;
  if (!head.found && find_key(rest, "\"address\"", 1) != std::string_view::npos) return split;
  const std::size_t dtype = find_key(rest, "\"dtype\"", 3);
  const std::size_t id = rest.rfind("\"tensor_id\"");
  if (dtype == std::string_view::npos || id == std::string_view::npos || id < dtype) return split;
  const std::size_t devices = find_key(rest.substr(0, dtype), "\"device_tensors\"", 3);
  if (devices != std::string_view::npos &&
      !is_only_field(rest.substr(devices, dtype - devices), rest.substr(devices, dtype - devices + 1))) {
    return split;
  }
  std::string_view tail = rest.substr(id);
  if (!skip(tail, "\"tensor_id\"") || !skip(tail, ":") || !skip_digits(tail, split.tensor_id)) return split;
  if (!skip(tail, "}")) return split;
  skip_blanks(tail);
  split.found = tail.empty();
  if (head.found) split.address = head.address;
  key.assign(rest.substr(0, std::min(devices, dtype)));
  key.append(rest.substr(dtype, id - dtype));
  return split;
}

namespace {

/// A number that does not count down: sizes, addresses, ids. Old captures write numbers as texts.
bool read_number(std::string_view value, std::int64_t& number) {
  if (value.size() >= 2 && value.front() == '"') value = value.substr(1, value.size() - 2);
  if (value == "true" || value == "false") {
    number = value == "true" ? 1 : 0;
    return true;
  }
  std::int64_t parsed = 0;
  const auto [end, error] = std::from_chars(value.data(), value.data() + value.size(), parsed);
  if (error != std::errc() || end != value.data() + value.size() || parsed < 0) return false;
  number = parsed;
  return true;
}

bool is_text(std::string_view value) { return value.size() >= 2 && value.front() == '"'; }

std::string_view inside(std::string_view value) { return value.substr(1, value.size() - 2); }

}  // namespace

std::uint32_t ParamsTables::text_id(std::string_view escaped) {
  // Copied: the text may stand in a key that was put together, and distinct ones are few.
  if (escaped.find('\\') == std::string_view::npos) return trace_.texts.intern(escaped);
  const std::optional<std::string> plain = json_unescaped(escaped);
  return trace_.texts.intern(plain ? std::string_view(*plain) : escaped);
}

template <typename Entry, typename Parse>
const Entry* ParamsTables::known_entry(Known<Entry>& known, std::string_view text, StringPool::Bytes bytes,
                                       Parse parse) {
  const std::uint32_t id = known.texts.intern(text, hash_text(text), bytes);
  if (id == known.entries.size()) {
    Entry entry{};
    const bool readable = parse(text, entry);
    known.entries.push_back(readable ? std::optional<Entry>(entry) : std::nullopt);
  }
  return known.entries[id] ? &*known.entries[id] : nullptr;
}

bool ParamsTables::parse_buffer(std::string_view text, Event& event) {
  BufferFacts facts;
  event.address = kNotRecorded;
  const bool readable = for_each_param(text, [&](std::string_view key, std::string_view value) {
    if (key == "size") return read_number(value, facts.size_bytes);
    if (key == "max_size_per_bank") return read_number(value, facts.max_size_per_bank_bytes);
    if (key == "page_size") return read_number(value, facts.page_size_bytes);
    if (key == "num_cores") return read_number(value, facts.num_cores);
    if (key == "device_id") return read_number(value, facts.device_id);
    if (key == "buffer_type") return read_number(value, facts.buffer_type);
    if (key == "address" || key == "addr") return read_number(value, event.address);
    if (!is_text(value)) return true;
    if (key == "type") {
      facts.type = text_id(inside(value));
      facts.in_dram = inside(value) == "DRAM";
    } else if (key == "layout") {
      facts.layout = text_id(inside(value));
    }
    return true;
  });
  trace_.buffer_facts.push_back(facts);
  event.facts = static_cast<std::uint32_t>(trace_.buffer_facts.size() - 1);
  return readable;
}

bool ParamsTables::parse_program_buffer(std::string_view text, Event& event) {
  ProgramBufferFacts facts;
  event.address = kNotRecorded;
  const bool readable = for_each_param(text, [&](std::string_view key, std::string_view value) {
    if (key == "size") return read_number(value, facts.size_bytes);
    if (key == "device_id") return read_number(value, facts.device_id);
    if (key == "address" || key == "addr") return read_number(value, event.address);
    if (key == "core_range_set") {
      // Texts in all captures so far; newer ones may have an object, which is kept as JSON.
      facts.core_ranges = is_text(value) ? text_id(inside(value)) : trace_.texts.intern(value);
    } else if (key == "globally_allocated" || key == "borrows_memory") {
      std::int64_t number = 0;
      if (!read_number(value, number)) return false;
      facts.borrowed = number == 1;
    }
    return true;
  });
  trace_.program_facts.push_back(facts);
  event.facts = static_cast<std::uint32_t>(trace_.program_facts.size() - 1);
  return readable;
}

bool ParamsTables::parse_tensor(std::string_view text, TensorNode& tensor) {
  TensorFacts facts;
  std::int64_t address = kNotRecorded;
  std::int64_t tensor_id = kNotRecorded;
  const bool readable = for_each_param(text, [&](std::string_view key, std::string_view value) {
    if (key == "size") return read_number(value, facts.size_bytes);
    if (key == "device_id") return read_number(value, facts.device_id);
    if (key == "buffer_type") return read_number(value, facts.buffer_type);
    if (key == "address") return read_number(value, address);
    if (key == "tensor_id") return read_number(value, tensor_id);
    if (!is_text(value)) return true;
    if (key == "shape") facts.shape = text_id(inside(value));
    if (key == "dtype") facts.dtype = text_id(inside(value));
    if (key == "layout") facts.layout = text_id(inside(value));
    if (key == "memory_config") facts.memory_config = text_id(inside(value));
    return true;
  });
  trace_.tensor_facts.push_back(facts);
  tensor = {tensor_id, address, static_cast<std::uint32_t>(trace_.tensor_facts.size() - 1)};
  return readable;
}

bool ParamsTables::parse_function(std::string_view text, Function& function) {
  return for_each_param(text, [&](std::string_view key, std::string_view value) {
    if (key == "name" && is_text(value)) function.name = text_id(inside(value));
    std::int64_t inputs = kNotRecorded;
    if (key == "inputs" && read_number(value, inputs)) function.inputs = static_cast<std::int32_t>(inputs);
    return true;
  });
}

bool ParamsTables::add_function(std::string_view params, const FunctionNode& with, std::uint32_t& detail) {
  const Function* known =
      known_entry(functions_, params, StringPool::Bytes::kBorrow,
                  [&](std::string_view text, Function& entry) { return parse_function(text, entry); });
  if (known == nullptr) return false;
  FunctionNode function = with;
  function.name = known->name;
  function.inputs = known->inputs;
  trace_.functions.push_back(function);
  detail = static_cast<std::uint32_t>(trace_.functions.size() - 1);
  return true;
}

bool ParamsTables::add_end(std::string_view params, std::uint32_t& detail) {
  const Function* known =
      known_entry(functions_, params, StringPool::Bytes::kBorrow,
                  [&](std::string_view text, Function& entry) { return parse_function(text, entry); });
  if (known == nullptr) return false;
  trace_.function_ends.push_back({known->name, 0});
  detail = static_cast<std::uint32_t>(trace_.function_ends.size() - 1);
  return true;
}

bool ParamsTables::add_buffer(std::string_view params, std::uint32_t& detail) {
  BufferLabel label;
  std::string_view facts = params;
  const bool has_label = take_label(facts, label);
  const Event* known =
      known_entry(buffers_, facts, StringPool::Bytes::kBorrow,
                  [&](std::string_view text, Event& entry) { return parse_buffer(text, entry); });
  if (known == nullptr) return false;
  if (has_label) trace_.buffer_labels.push_back(label);
  detail = known->facts;
  return true;
}

// {"buffer_type":0,...,"type":"DRAM","buffer_id":7,"kind":"weight","owner":"layers.0.w1/weight"}
bool ParamsTables::take_label(std::string_view& params, BufferLabel& label) {
  const std::size_t at = params.find("\"buffer_id\"");
  if (at == std::string_view::npos) return false;
  bool is_last = true;  // nothing but the label stands behind its first key
  const bool readable = for_each_param(params, [&](std::string_view key, std::string_view value) {
    if (key == "buffer_id") return read_number(value, label.buffer_id);
    if (key == "kind" && is_text(value)) {
      label.kind = text_id(inside(value));
    } else if (key == "owner" && is_text(value)) {
      label.name = text_id(inside(value));
    } else {
      is_last = is_last && value.data() < params.data() + at;
    }
    return true;
  });
  if (!readable || label.buffer_id == kNotRecorded) return false;
  label.node = trace_.size();
  std::string_view facts = params.substr(0, at);
  while (!facts.empty() && is_blank_or_break(facts.back())) facts.remove_suffix(1);
  const bool is_first = facts.empty() || facts.back() != ',';
  if (is_last && !is_first) params = facts.substr(0, facts.size() - 1);
  return true;
}

bool ParamsTables::add_buffer_event(std::string_view params, std::uint32_t& detail) {
  const SplitAddress split = split_address(params);
  const Event* known =
      known_entry(buffers_, split.rest, StringPool::Bytes::kBorrow,
                  [&](std::string_view text, Event& entry) { return parse_buffer(text, entry); });
  if (known == nullptr) return false;
  trace_.event_addresses.push_back(split.found ? split.address : known->address);
  trace_.event_facts.push_back(known->facts);
  detail = static_cast<std::uint32_t>(trace_.event_facts.size() - 1);
  return true;
}

bool ParamsTables::add_program_buffer(std::string_view params, std::uint32_t& detail) {
  const SplitAddress split = split_address(params);
  const Event* known =
      known_entry(program_buffers_, split.rest, StringPool::Bytes::kBorrow,
                  [&](std::string_view text, Event& entry) { return parse_program_buffer(text, entry); });
  if (known == nullptr) return false;
  trace_.program_addresses.push_back(split.found ? split.address : known->address);
  trace_.program_facts_ids.push_back(known->facts);
  detail = static_cast<std::uint32_t>(trace_.program_facts_ids.size() - 1);
  return true;
}

bool ParamsTables::add_tensor(std::string_view params, std::uint32_t& detail) {
  const SplitTensor split = split_tensor(params, tensor_key_);
  const TensorNode* known =
      known_entry(tensors_, split.found ? std::string_view(tensor_key_) : params,
                  split.found ? StringPool::Bytes::kCopy : StringPool::Bytes::kBorrow,
                  [&](std::string_view text, TensorNode& entry) { return parse_tensor(text, entry); });
  if (known == nullptr) return false;
  trace_.tensors.push_back(split.found ? TensorNode{split.tensor_id, split.address, known->facts} : *known);
  detail = static_cast<std::uint32_t>(trace_.tensors.size() - 1);
  return true;
}

bool ParamsTables::add_device(std::string_view params, std::uint32_t& detail) {
  std::int64_t device_id = kNotRecorded;
  const bool readable = for_each_param(params, [&](std::string_view key, std::string_view value) {
    return key != "device_id" || read_number(value, device_id);
  });
  for (detail = 0; detail < trace_.device_ids.size(); ++detail) {
    if (trace_.device_ids[detail] == device_id) return readable;
  }
  trace_.device_ids.push_back(device_id);
  return readable;
}

bool ParamsTables::add(NodeKind kind, std::string_view params, std::uint32_t& detail) {
  detail = 0;
  switch (kind) {
    case NodeKind::kFunctionEnd:
    case NodeKind::kCaptureEnd:
      return add_end(params, detail);
    case NodeKind::kTensor:
      return add_tensor(params, detail);
    case NodeKind::kBuffer:
      return add_buffer(params, detail);
    case NodeKind::kBufferAllocate:
    case NodeKind::kBufferDeallocate:
      return add_buffer_event(params, detail);
    case NodeKind::kCircularBufferAllocate:
    case NodeKind::kDataflowBufferAllocate:
    case NodeKind::kScratchpadAllocate:
      return add_program_buffer(params, detail);
    case NodeKind::kDeallocateAll:
      return add_device(params, detail);
    case NodeKind::kError:
      detail = trace_.texts.intern(params);
      return true;
    default:
      return true;
  }
}

}  // namespace ttscope::graph
