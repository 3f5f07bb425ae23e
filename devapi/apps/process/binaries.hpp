// The programs of a project that may have to be started again: links beside its files, so that the
// build cache may be swept without losing what a database says it needs.
#pragma once

#include <set>
#include <string>

namespace svc::devapi {

// Makes `built` stay, as <folder>/<its name>; the path to start it by.
// False too if it is empty: cut off with the machine before it was on the disk.
bool is_there(const std::string& binary);

std::string keep_binary(const std::string& built, const std::string& folder);
// Lets go of all others in the folder.
void drop_binaries(const std::string& folder, const std::set<std::string>& kept);

}  // namespace svc::devapi
