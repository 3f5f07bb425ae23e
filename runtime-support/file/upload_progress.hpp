// Counts the bytes of running uploads for the quotas of files before a row has them
// (svc.file_coming). An app without quotas counts nothing.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "file/file_context.hpp"

namespace svc::file {

class UploadProgress {
  public:
    struct Upload {
        std::string key;          // a uuid, of this request alone
        std::string file, owner;  // uuids
        bool apart = false;       // the bytes are in a file of their own until the request ends
    };
    UploadProgress(const FileContext& in, Upload upload) : in_(in), upload_(std::move(upload)) {}

    // False if the app has no quotas: then there is nothing to count.
    bool counts() const {
        return in_.app.files.user_quota != 0 || in_.app.files.project_quota != 0;
    }
    // Counts this many more bytes. Refuses with QUOTA_EXCEEDED if they exceed the quota. Asks the
    // database after every few megabytes.
    Task<std::optional<identity::Refusal>> count(std::uint64_t bytes);
    // The request is over.
    Task<> end();
    // The row of the upload counts them from now on, but for those that are apart.
    void recorded() { counted_ = upload_.apart ? counted_ : 0; }

  private:
    const FileContext& in_;
    const Upload upload_;
    std::uint64_t counted_ = 0;
    bool any_ = false;
};

// 413 QUOTA_EXCEEDED.
identity::Refusal no_room();

}  // namespace svc::file
