#pragma once

#include <string>

#include "terminal/frame.h"
#include "terminal/key.h"

namespace ttscope::terminal {

/// A question that is answered by yes or no.
struct ConfirmSpec {
  std::string question;
  bool on_enter = false;  ///< the answer that Enter gives
};

struct ConfirmStep {
  bool answer = false;  ///< only with KeyOutcome::kDone
  KeyOutcome outcome = KeyOutcome::kGoOn;
};

ConfirmStep press(const ConfirmSpec& spec, const Key& key);

/// `(Y/n)`: the large letter is what Enter gives.
std::string choices_text(const ConfirmSpec& spec);

Frame render(const ConfirmSpec& spec, Size size);

}  // namespace ttscope::terminal
