// Finds inconsistent files of an app: rows without bytes, and bytes without a row. Blocking;
// `database` is an administrator connection.
#pragma once

#include <functional>
#include <string>

#include "base/env.hpp"

namespace svc::devapi {

struct AppFiles {
    std::string project;
    Env env = Env::dev;
    std::string database;  // an administrator connection; empty: nothing is served
    std::string folder;    // of its files on the disk
};

// {missing: {count, files: [{id, name}]}, unknown: {count, bytes, files: [{id, size}]}}: files
// without bytes, and stored bytes without a row, wherever the app's files are. Lists are cut after
// a hundred. Its numbers are kept for files_checked(). Throws if the folder or the store cannot be
// read, or if `go_on` returns false; it is called from time to time.
std::string check_files(const AppFiles& app, const std::function<bool()>& go_on);

// The numbers of the last check: {checkedAt, missing, unknown, unknownBytes, stored}, or null where
// there was none of this database.
std::string files_checked(const std::string& database);

// Claims the check if the last one is a day old. Returns true for one claimant only.
bool claim_files_check(const std::string& database);

}  // namespace svc::devapi
