// The S3-compatible store that the operator names: S3_BUCKET and its companions, of svcd and of app
// servers alike.
#pragma once

#include <optional>
#include <string>

namespace svc::file {

struct S3Settings {
    std::string endpoint;  // S3_ENDPOINT: https://host[:port]; default: Amazon's of the region
    std::string region;    // S3_REGION, default us-east-1
    std::string bucket;    // S3_BUCKET
    std::string access_key, secret_key;  // S3_ACCESS_KEY, S3_SECRET_KEY
    bool path_style = false;             // S3_PATH_STYLE=on: endpoint/bucket/key

    std::string origin() const;  // what addresses begin with, without a slash at its end
    std::string host() const;    // of the header Host
    std::string path(const std::string& key) const;
};

// Reads the environment; nothing: files stay on the disk. Throws std::invalid_argument, whose text
// names the setting and holds no credentials.
std::optional<S3Settings> read_s3_settings();

}  // namespace svc::file
