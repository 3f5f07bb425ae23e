// Starts programs of svcd: with which user and which output.
#pragma once

#include <sys/types.h>

#include <string>
#include <utility>
#include <vector>

namespace svc::devapi {

// The user of a child. An empty `name` means svcd's own user.
struct UnixUser {
    std::string name;
    uid_t uid = 0;
    gid_t gid = 0;
};

// Finds a user by name. A number is a user with a group of the same number, also if it is not
// listed. Throws std::runtime_error if there is no such user.
UnixUser find_user(const std::string& name);

struct Child {
    std::vector<std::string> argv;                                 // argv[0] is the path
    std::vector<std::pair<std::string, std::string>> environment;  // added to svcd's own
    UnixUser user;
    std::string output;  // file that its output is appended to; svcd opens it
    int input = -1;      // its descriptor 0, which stays the caller's; -1: it reads nothing
};

// The arguments of execve, made before the fork, because a child may not allocate. Valid while
// `texts` live.
std::vector<char*> pointers(std::vector<std::string>& texts);

// Starts it in a session of its own, so that what ends svcd does not end it; returns its pid.
// Throws std::system_error.
pid_t spawn(const Child& child);

// Starts it and waits; true if it ended with 0.
bool run_to_end(const Child& child);

// The last lines of a file, for error messages.
std::string last_lines(const std::string& file, std::size_t bytes = 2000);

}  // namespace svc::devapi
