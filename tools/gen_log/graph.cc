#include "graph.h"

#include <algorithm>
#include <charconv>

#include "op_text.h"

namespace ttscope::gen_log {

namespace {

std::string quoted(const std::string& name) { return "\"" + name + "\""; }

void append_number(std::string& out, std::int64_t number) {
  char digits[24];
  const auto end = std::to_chars(digits, digits + sizeof(digits), number).ptr;
  out.append(digits, end);
}

}  // namespace

std::string Location::text() const {
  std::string text = pieces.front();
  for (std::size_t i = 0; i < children.size(); ++i) text += children[i] + pieces[i + 1];
  return text;
}

Location unknown_location() { return {{"unknown"}, {}}; }
Location named_location(const std::string& name) { return {{quoted(name)}, {}}; }
Location nested_location(const std::string& name, const std::string& inner) {
  return {{quoted(name) + "(", ")"}, {quoted(inner)}};
}
Location file_location(const std::string& file, int line, int column) {
  return {{quoted(file) + ":" + std::to_string(line) + ":" + std::to_string(column)}, {}};
}
Location fused_location(const std::string& first, const std::string& second) {
  return {{"fused[", ", ", "]"}, {quoted(first), quoted(second)}};
}
Location callsite_location(const std::string& callee, const std::string& caller) {
  return {{"callsite(", " at ", ")"}, {quoted(callee), quoted(caller)}};
}

GraphBuilder::GraphBuilder(std::string name) { program_.name = std::move(name); }

ValueId GraphBuilder::argument(Argument argument) {
  const auto id = static_cast<ValueId>(program_.values.size());
  argument.value = id;
  Value value;
  value.naming = Value::Naming::kArgument;
  value.number = static_cast<std::int64_t>(program_.arguments.size());
  value.type = argument.type;
  program_.values.push_back(std::move(value));
  from_load_cached_.push_back(false);
  program_.arguments.push_back(std::move(argument));
  return id;
}

std::vector<ValueId> GraphBuilder::add(OpSpec spec) {
  Op op;
  op.effect = spec.results.empty() ? Effect::kNone : Effect::kAllocate;
  if (spec.name == "ttnn.reshape" &&
      is_view_reshape(*type_of(spec.operands.front()), *spec.results.front())) {
    op.effect = Effect::kView;
  }
  return push(std::move(op), spec);
}

std::vector<ValueId> GraphBuilder::load_cached(std::size_t index, const Program& callee,
                                               std::vector<ValueId> operands) {
  Op op;
  op.form = Op::Form::kLoadCached;
  op.effect = Effect::kLoadCached;
  op.callee = callee.name;
  op.callee_index = index;
  OpSpec spec{"ttcore.load_cached", std::move(operands), "", {}, unknown_location()};
  for (const ValueId value : callee.returns) spec.results.push_back(callee.values[value].type);
  return push(std::move(op), spec);
}

std::vector<ValueId> GraphBuilder::call_cpu(std::string callee, OpSpec spec) {
  Op op;
  op.form = Op::Form::kCall;
  op.effect = Effect::kAllocate;
  op.callee = std::move(callee);
  spec.name = "func.call";
  spec.properties = " {ttir.cpu_hoist_call}";
  return push(std::move(op), spec);
}

std::vector<ValueId> GraphBuilder::push(Op op, const OpSpec& spec) {
  op.name = spec.name;
  op.operands = spec.operands;
  op.properties = spec.properties;
  op.location = spec.location;
  for (std::size_t i = 0; i < spec.results.size(); ++i) {
    Value value;
    value.type = spec.results[i];
    value.in_body = in_body_;
    if (spec.result_words.empty()) {
      value.number = next_number_;
      if (spec.results.size() > 1) value.result_index = static_cast<int>(i);
    } else {
      value.naming = Value::Naming::kWord;
      value.word = spec.result_words[i];
      value.number = next_word_++;
    }
    op.results.push_back(static_cast<ValueId>(program_.values.size()));
    program_.values.push_back(std::move(value));
    from_load_cached_.push_back(op.form == Op::Form::kLoadCached);
  }
  if (!spec.results.empty() && spec.result_words.empty()) ++next_number_;
  complete_text(op, program_);
  program_.ops.push_back(std::move(op));
  return program_.ops.back().results;
}

void GraphBuilder::begin_body() {
  in_body_ = true;
  numbers_before_body_ = next_number_;
  program_.body_begin = program_.ops.size();
}

bool GraphBuilder::is_deallocated(ValueId value, const DeallocationPolicy& policy) const {
  const Value& v = program_.values[value];
  if (v.type->is_device_handle) return false;
  if (policy.only_l1) return v.type->memory() == Memory::kL1;
  if (from_load_cached_[value]) return policy.const_eval_results;
  if (v.naming != Value::Naming::kArgument) return true;
  return policy.arguments != DeallocationPolicy::Arguments::kNone &&
         !program_.arguments[static_cast<std::size_t>(v.number)].kv_cache;
}

Op GraphBuilder::deallocation(ValueId value, const Op& after) const {
  Op op;
  op.name = "ttnn.deallocate";
  op.operands = {value};
  op.properties = " <{force = false}>";
  op.location = after.location;
  op.effect = Effect::kDeallocate;
  op.retained = program_.values[value].naming == Value::Naming::kArgument || from_load_cached_[value];
  complete_text(op, program_);
  return op;
}

Program GraphBuilder::finish(std::vector<ValueId> returns, const DeallocationPolicy& policy) {
  constexpr std::size_t kNever = static_cast<std::size_t>(-1);
  std::vector<std::size_t> last_use(program_.values.size(), kNever);
  for (std::size_t i = 0; i < program_.ops.size(); ++i) {
    for (const ValueId value : program_.ops[i].results) last_use[value] = i;
    for (const ValueId value : program_.ops[i].operands) last_use[value] = i;
  }
  for (const ValueId value : returns) last_use[value] = kNever;

  std::vector<Op> ops;
  std::size_t body_begin = 0;
  for (std::size_t i = 0; i < program_.ops.size(); ++i) {
    if (i == program_.body_begin) body_begin = ops.size();
    ops.push_back(program_.ops[i]);
    const Op op = ops.back();
    std::vector<ValueId> ending(op.operands.rbegin(), op.operands.rend());
    ending.insert(ending.end(), op.results.begin(), op.results.end());
    for (const ValueId value : ending) {
      if (last_use[value] != i || !is_deallocated(value, policy)) continue;
      last_use[value] = kNever;
      const bool argument = program_.values[value].naming == Value::Naming::kArgument;
      if (argument && policy.arguments == DeallocationPolicy::Arguments::kOfConstEval &&
          op.effect != Effect::kLoadCached) {
        continue;
      }
      ops.push_back(deallocation(value, op));
    }
  }
  program_.ops = std::move(ops);
  program_.body_begin = body_begin;
  program_.body_numbers = next_number_ - numbers_before_body_;
  program_.body_words = next_word_;
  program_.returns = std::move(returns);
  return std::move(program_);
}

void append_value_name(std::string& out, const TextContext& context, ValueId id) {
  constexpr std::int64_t kWordsOfFirstUse =
      3;  // the printer adds a number only to names that are taken already
  const Program& program = context.program;
  const Value& value = program.values[id];
  switch (value.naming) {
    case Value::Naming::kArgument:
      out += "%arg";
      append_number(out, value.number);
      break;
    case Value::Naming::kNumber:
      out += '%';
      append_number(out, value.number + (value.in_body ? context.repetition * program.body_numbers : 0));
      break;
    case Value::Naming::kWord: {
      out += value.word;
      const std::int64_t count = value.number + context.repetition * program.body_words;
      if (count >= kWordsOfFirstUse) {
        out += '_';
        append_number(out, count - kWordsOfFirstUse);
      }
      break;
    }
  }
  if (value.result_index >= 0) {
    out += '#';
    append_number(out, value.result_index);
  }
}

void append_results(std::string& out, const TextContext& context, const Op& op) {
  if (op.results.empty()) return;
  const Value& first = context.program.values[op.results.front()];
  if (first.result_index >= 0) {
    append_value_name(out, context, op.results.front());
    out.resize(out.rfind('#'));
    out += ':';
    append_number(out, static_cast<std::int64_t>(op.results.size()));
  } else {
    for (std::size_t i = 0; i < op.results.size(); ++i) {
      if (i > 0) out += ", ";
      append_value_name(out, context, op.results[i]);
    }
  }
  out += " = ";
}

void append_op_text(std::string& out, const TextContext& context, const Op& op) {
  append_results(out, context, op);
  append_callee(out, op, "func.call");
  for (std::size_t i = 0; i < op.operands.size(); ++i) {
    if (i > 0) out += ", ";
    append_value_name(out, context, op.operands[i]);
  }
  out += op.form == Op::Form::kLoadCached ? "])" : ")";
  out += op.signature;
  out += " loc(";
  if (context.suffix.empty() || op.location_cut == std::string::npos) {
    out += op.location_text;
  } else {
    out.append(op.location_text, 0, op.location_cut);
    out += context.suffix;
    out.append(op.location_text, op.location_cut);
  }
  out += ')';
}

}  // namespace ttscope::gen_log
