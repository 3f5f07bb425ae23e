// The platform's own pages: plain HTML, which nobody may frame. They work without scripts; one that
// has a script allows it by its hash, and no other.
#pragma once

#include <string>
#include <string_view>

#include "http/dev_request.hpp"

namespace svc::devapi {

struct PageScript {
    std::string_view text = {};
    bool calls = false;  // this service, by fetch()
};
void page(Response& response, int status, std::string_view title, std::string_view inner,
          PageScript script = {});

// A paragraph that says what is wrong; empty if nothing is.
std::string alert(std::string_view complaint);

// Messages that several pages of accounts show.
inline constexpr const char* kTooManyTries = "Too many tries. Wait and try again.";
inline constexpr const char* kForeignForm =
    "This form was not sent from its own page. Open the page again.";
inline constexpr const char* kPasswordLength = "The password needs 8 to 200 characters.";

// True if the Origin header names another site, or none ("null"). False without the header.
bool from_another_site(const Request& request);

}  // namespace svc::devapi
