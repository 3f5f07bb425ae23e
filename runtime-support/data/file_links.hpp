// Addresses of the files in rows, for requests with x-svc-files: 1.
#pragma once

#include <string>
#include <string_view>

namespace svc::data {

class FileLinks {
  public:
    virtual ~FileLinks() = default;
    // An address at which the file can be read without another credential, for a limited time. JSON
    // needs no escapes in it.
    virtual void append_url(std::string& out, std::string_view id) const = 0;
};

}  // namespace svc::data
