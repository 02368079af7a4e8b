#pragma once

#include <ctime>
#include <string>
#include <vector>

#include "base/result.h"
#include "base/temporary_folder.h"

namespace ttscope::app {

/// `tests/test_vit.py::test_one` is one too.
bool is_python_file(const std::string& argument);

/// `model` of `python -u path/model.py --steps 3`: the first Python file, else the program itself.
std::string name_of_command(const std::vector<std::string>& command);

/// `model_20260122_143957`, in local time.
std::string run_folder_name(const std::string& name, std::time_t now);

/// Makes BASE/NAME_YYYYMMDD_HHMMSS, with -2, -3 ... behind it when that exists, for its user alone. `base`
/// must exist. The folder is removed again unless it is released.
Result<TemporaryFolder> make_run_folder(const std::string& base, const std::string& name);

/// Bytes that an ordinary user can still write where `folder` is or will be; -1 when nothing tells.
long long free_bytes_at(const std::string& folder);

}  // namespace ttscope::app
