// bubblewrap around one program: no network, no processes but its own, a file system with only the
// files that it needs, and only one writable folder.
#pragma once

#include <string>
#include <vector>

namespace svc::build {

struct Child;

// The operator's setting SVC_SANDBOX.
enum class Sandbox { automatic, required, off };

// Reads "auto", "required" or "off"; empty means auto. Throws std::invalid_argument for another
// value.
Sandbox sandbox_of(const std::string& wish);

// True if programs run in the sandbox. Tried once per process. Throws std::runtime_error if it is
// required and does not work.
bool sandboxed(Sandbox wish);
// The reason why there is no sandbox; empty if there is one.
const std::string& sandbox_trouble();

// The argv that runs child.argv in the sandbox.
std::vector<std::string> in_sandbox(const Child& child);
// Makes child.writable a folder that the program inside may write to. Throws std::system_error.
void open_for_sandbox(const Child& child);

}  // namespace svc::build
