// Requests to an S3-compatible store, with AWS Signature Version 4
// (https://docs.aws.amazon.com/AmazonS3/latest/API/sig-v4-header-based-auth.html).
#pragma once

#include <ctime>
#include <string>
#include <utility>
#include <vector>

#include "file/s3/settings.hpp"
#include "outgoing/fetch.hpp"

namespace svc::file {

using Pairs = std::vector<std::pair<std::string, std::string>>;

struct S3Request {
    std::string method = "GET";
    std::string key = {};  // of unreserved characters and slashes; empty: the bucket itself
    Pairs query = {};      // sorted by name
    Pairs headers = {};    // names in lower case
    std::string body = {};
    unsigned seconds = 10;  // that it may take; 0: as long as it needs
};

// The call that asks for it at this moment. It may reach the operator's endpoint, whatever its
// address is, and nothing else.
outgoing::Fetch signed_call(const S3Settings& store, S3Request request, std::time_t now);

}  // namespace svc::file
