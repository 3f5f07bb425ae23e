// Objects of an S3-compatible store. All functions block. Only one piece of a file is in memory at
// a time.
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <stdexcept>
#include <string>

#include "file/s3/signature.hpp"

namespace svc::file {

// The store refused or did not answer. The text contains no credentials.
struct S3Failure : std::runtime_error {
    using std::runtime_error::runtime_error;
};

// The reason of a failure, from the store's answer or from its absence.
std::string s3_failure(const outgoing::Fetched& answer);

class S3Client {
  public:
    explicit S3Client(S3Settings store) : store_(std::move(store)) {}

    // Bytes [at, at + most) of what is sent, or up to its end.
    using Read = std::function<std::string(std::uint64_t at, std::size_t most)>;
    // Stores the object completely or not at all. More than one piece is sent as a multipart
    // upload.
    void put(const std::string& key, std::uint64_t size, const Read& read);
    void remove(const std::string& key);  // also where it is not there
    // All keys with this prefix, in order.
    using Visit = std::function<void(const std::string& key, std::uint64_t size)>;
    void each(const std::string& prefix, const Visit& visit);

    // The call that reads these bytes. It takes as long as its reader needs.
    outgoing::Fetch reading(const std::string& key, std::uint64_t from, std::uint64_t length) const;

    // Makes running operations end with their next request.
    void stop() { stopped_ = true; }

  private:
    // Makes the request for each try anew, so that one piece stands in memory once.
    using Make = std::function<S3Request()>;
    outgoing::Fetched ask(const Make& make);
    outgoing::Fetched ask_once(S3Request request);
    outgoing::Fetched send(S3Request request) const;
    void put_parts(const std::string& key, std::uint64_t size, const Read& read);
    std::string send_parts(const std::string& key, const std::string& upload, std::uint64_t size,
                           const Read& read);
    void finish(const std::string& key, const std::string& upload, std::string parts);

    const S3Settings store_;
    std::atomic<bool> stopped_{false};
    // After a call without an answer no other call is made until this time, on the steady clock.
    std::atomic<std::int64_t> rests_until_{0};
};

}  // namespace svc::file
