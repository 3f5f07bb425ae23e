// The members of a JSON body, each checked as it is read; what is wrong is collected and answered
// once.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "http/dev_request.hpp"

namespace svc::devapi {

class Fields {
  public:
    // An empty body counts as an empty object.
    explicit Fields(const Request& request);

    // Text of min to max characters, without control characters (line breaks and tabs apart).
    std::optional<std::string> text(const char* name, std::size_t min, std::size_t max);
    std::string required_text(const char* name, std::size_t min, std::size_t max);
    std::optional<std::string> uuid(const char* name);
    std::optional<int> integer(const char* name, int min, int max);
    std::optional<bool> boolean(const char* name);
    // A list of strings, each 1 to 500 characters; none if it is absent or null.
    std::optional<std::vector<std::string>> texts(const char* name);

    bool has(const char* name) const;
    void wrong(std::string field, std::string message);
    bool good() const { return details_.empty(); }
    // False: answered 400 BAD_REQUEST with `details`, one entry a field.
    bool good(Response& response) const;

  private:
    const json* find(const char* name) const;  // null if absent or null

    json body_;
    json details_ = json::array();
};

// A percent-encoded query parameter or form member.
std::string query_value(std::string_view query, std::string_view name);
// A whole number of 1 or more, in digits; none for any other text.
std::optional<std::int64_t> positive_number(std::string_view text);

}  // namespace svc::devapi
