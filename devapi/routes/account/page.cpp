#include "routes/account/page.hpp"

#include "base/ascii.hpp"
#include "base/crypto.hpp"
#include "base/sha256.hpp"
#include "http/text.hpp"

namespace svc::devapi {

namespace {

std::string allowed_to(PageScript script) {
    if (script.text.empty()) return {};
    const std::string own = base::base64(base::bytes_of(base::sha256(script.text)));
    return "script-src 'sha256-" + own + "'; " + (script.calls ? "connect-src 'self'; " : "");
}

}  // namespace

// The opener policy cuts a page that opened this one off, also one of an app on the same origin:
// it must not read or press what a person sees here.
void page(Response& response, int status, std::string_view title, std::string_view inner,
          PageScript script) {
    response.status = status;
    response.content_type = "text/html; charset=utf-8";
    response.header("Content-Security-Policy", "default-src 'none'; " + allowed_to(script) +
                                                   "style-src 'unsafe-inline'; form-action 'self'; "
                                                   "frame-ancestors 'none'; base-uri 'none'");
    response.header("Cross-Origin-Opener-Policy", "same-origin");
    response.header("Referrer-Policy", "same-origin");
    response.header("X-Frame-Options", "DENY");
    response.body =
        "<!doctype html><html lang=\"en\"><meta charset=\"utf-8\"><meta name=\"viewport\" "
        "content=\"width=device-width\"><title>" +
        http::escape_html(title) +
        "</title><style>body{font:16px/1.5 system-ui;max-width:24rem;margin:4rem auto;padding:0 "
        "1rem}input,select{display:block;width:100%;font:inherit;margin:.2rem 0 "
        "1rem;box-sizing:border-box}button{font:inherit;margin-right:1rem}</style>";
    response.body.append(inner);
    if (!script.text.empty())
        response.body.append("<script>").append(script.text).append("</script>");
    response.body.append("</html>\n");
}

std::string alert(std::string_view complaint) {
    return complaint.empty() ? "" : "<p role=\"alert\">" + http::escape_html(complaint) + "</p>";
}

bool from_another_site(const Request& request) {
    if (request.origin.empty()) return false;
    const auto scheme = request.origin.find("://");
    return scheme == std::string_view::npos ||
           !base::iequals(request.origin.substr(scheme + 3), request.host);
}

}  // namespace svc::devapi
