// Files that people uploaded to an app, for developers. Blocking; `database` is an administrator
// connection.
#pragma once

#include <optional>
#include <string>

#include "file/state.hpp"

namespace svc::devapi {

struct FilesRequest {
    std::optional<file::FileState> state;  // none: all
    std::string before;                    // a file's id: older ones alone
    int limit = 30;
};

// False if an earlier compiler built the app.
bool has_files(const std::string& database);

// {files: [{id, name, mime, size, received, state, held, ownerId, createdAt, storedAt, deletedAt}],
// total: {files, bytes}}: the newest first; `held`: a row names it; `total` is of what is stored.
std::string files_json(const std::string& database, const FilesRequest& wanted);

}  // namespace svc::devapi
