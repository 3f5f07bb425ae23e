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

// A form from another site, or from none that says so.
bool from_elsewhere(const Request& request);

}  // namespace svc::devapi
