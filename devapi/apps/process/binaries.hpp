// The binaries of a project that may have to be started again. They are links beside its files, so
// that the build cache can be cleaned without deleting a binary that a database names.
#pragma once

#include <set>
#include <string>

namespace svc::devapi {

// False also if the file is empty: the machine failed before its content was on the disk.
bool is_there(const std::string& binary);

// Keeps `built` as <folder>/<its name>. Returns that path, by which the binary is started.
std::string keep_binary(const std::string& built, const std::string& folder);
// Deletes all others in the folder.
void drop_binaries(const std::string& folder, const std::set<std::string>& kept);

}  // namespace svc::devapi
