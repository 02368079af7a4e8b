#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "tensor_type.h"

namespace ttscope::gen_log {

using ValueId = std::uint32_t;

/// What stands in `loc(...)`. Inner locations are kept apart because a module gives each of them an alias.
struct Location {
  std::vector<std::string> pieces;    ///< text around the children, one more than there are children
  std::vector<std::string> children;  ///< whole inner locations, e.g. `"dot.12"` with its quotes
  std::string text() const;
};

Location unknown_location();
Location named_location(const std::string& name);
Location nested_location(const std::string& name, const std::string& inner);
Location file_location(const std::string& file, int line, int column);
Location fused_location(const std::string& first, const std::string& second);
Location callsite_location(const std::string& callee, const std::string& caller);

struct Value {
  enum class Naming : std::uint8_t { kArgument, kNumber, kWord };
  Naming naming = Naming::kNumber;
  std::string word;         ///< `%query` of a named result
  std::int64_t number = 0;  ///< `%7`, `%arg7`; for words the running count of all named results
  int result_index = -1;    ///< k of `%7#k`
  bool in_body = false;     ///< defined in the part that --keep-live repeats
  const TensorType* type = nullptr;
};

enum class Effect : std::uint8_t { kNone, kAllocate, kView, kDeallocate, kLoadCached };

struct Op {
  enum class Form : std::uint8_t { kGeneric, kLoadCached, kCall };
  Form form = Form::kGeneric;
  std::string name;     ///< `ttnn.matmul`
  std::string op_type;  ///< `MatmulOp`: the runtime's name, which the memory block uses
  std::string moment;   ///< `before operation MatmulOp`
  std::string callee;
  std::size_t callee_index = 0;  ///< of load_cached, in Workload::const_evals
  std::vector<ValueId> operands;
  std::vector<ValueId> results;
  std::string properties;  ///< between operands and types, with its leading space; empty when there are none
  std::string signature;   ///< properties and types as in an op line
  Location location;
  std::string location_text;
  std::size_t location_cut =
      std::string::npos;  ///< where a suffix goes: before the first name's closing quote
  Effect effect = Effect::kNone;
  bool retained = false;  ///< a deallocate that does nothing
};

struct Argument {
  enum class Kind : std::uint8_t { kParameter, kConstant, kInput };
  ValueId value = 0;
  Kind kind = Kind::kParameter;
  const TensorType* type = nullptr;
  std::string model_name;  ///< `ttir.name`
  bool kv_cache = false;
  bool new_each_run = false;
  bool presharded = false;
};

struct Program {
  std::string name;
  std::vector<Argument> arguments;
  std::vector<Value> values;
  std::vector<Op> ops;
  std::vector<ValueId> returns;
  std::size_t body_begin = 0;     ///< ops from here on are repeated by --keep-live
  std::int64_t body_numbers = 0;  ///< how far one repetition moves the result numbers on
  std::int64_t body_words = 0;
};

/// Which values get a `ttnn.deallocate` after their last use.
struct DeallocationPolicy {
  enum class Arguments : std::uint8_t { kNone, kOfConstEval, kAll };
  Arguments arguments = Arguments::kAll;
  bool const_eval_results = true;
  bool only_l1 = false;  ///< --keep-live; L1 would overflow after a few repetitions
};

/// The parts of an op that the model decides.
struct OpSpec {
  std::string name;
  std::vector<ValueId> operands;
  std::string properties;
  std::vector<const TensorType*> results;
  Location location;
  std::vector<std::string> result_words = {};  ///< `%query` and so on; otherwise results are numbered
};

/// Builds one function in the order of its ops, then inserts the deallocations as the compiler does.
class GraphBuilder {
 public:
  explicit GraphBuilder(std::string name);

  ValueId argument(Argument argument);
  std::vector<ValueId> add(OpSpec spec);
  ValueId add_one(OpSpec spec) { return add(std::move(spec)).front(); }
  std::vector<ValueId> load_cached(std::size_t index, const Program& callee, std::vector<ValueId> operands);
  std::vector<ValueId> call_cpu(std::string callee, OpSpec spec);
  void begin_body();

  const TensorType* type_of(ValueId value) const { return program_.values[value].type; }
  Program finish(std::vector<ValueId> returns, const DeallocationPolicy& policy);

 private:
  std::vector<ValueId> push(Op op, const OpSpec& spec);
  bool is_deallocated(ValueId value, const DeallocationPolicy& policy) const;
  Op deallocation(ValueId value, const Op& after) const;

  Program program_;
  std::int64_t next_number_ = 0;
  std::int64_t next_word_ = 0;
  std::int64_t numbers_before_body_ = 0;
  bool in_body_ = false;
  std::vector<bool> from_load_cached_;  // by value
};

/// Where an op's text is printed.
struct TextContext {
  const Program& program;
  std::int64_t repetition = 0;   ///< of the body: values are numbered on
  std::string_view suffix = {};  ///< goes into the location's first name
};

/// Appends `%7`, `%7#1`, `%arg3`, `%query_3`.
void append_value_name(std::string& out, const TextContext& context, ValueId value);
/// `%7:2 = ` or nothing.
void append_results(std::string& out, const TextContext& context, const Op& op);
/// The whole text after `Executing operation: `.
void append_op_text(std::string& out, const TextContext& context, const Op& op);

}  // namespace ttscope::gen_log
