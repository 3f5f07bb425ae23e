// bubblewrap around one program: no network, no processes but its own, a file system of what it
// needs, and of that only one folder to write to.
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
// Why it cannot be had; empty if it can.
const std::string& sandbox_trouble();

// argv that runs child.argv inside.
std::vector<std::string> in_sandbox(const Child& child);
// Makes child.writable a folder that the program inside may write to. Throws std::system_error.
void open_for_sandbox(const Child& child);

}  // namespace svc::build
