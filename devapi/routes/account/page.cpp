#include "routes/account/page.hpp"

#include "auth/theme.hpp"
#include "base/ascii.hpp"
#include "base/crypto.hpp"
#include "base/sha256.hpp"
#include "http/text.hpp"

namespace svc::devapi {

namespace {

// The card in which an app's own users sign in looks the same (runtime-support/page/asset).
constexpr std::string_view kPageLook = R"css(
*{box-sizing:border-box}
html{font:400 16px/1.5 var(--font);color:var(--ink);background:var(--page)}
body{margin:0;padding:10vh 16px 64px;display:flex;flex-direction:column;align-items:center;gap:24px}
.brand{margin:0;font-weight:600;font-size:18px}
main{width:100%;max-width:376px;background:var(--surface);border:1px solid var(--line);
border-radius:calc(var(--radius) + 4px);padding:24px;overflow-wrap:anywhere}
h1{font-size:20px;line-height:1.25;margin:0 0 16px}
p{margin:0 0 16px}
a{color:var(--accent)}
label{display:block;font-weight:500;font-size:14px}
input,select{display:block;width:100%;font:400 16px/1.5 var(--font);color:inherit;background:var(--surface);
border:1px solid var(--line-strong);border-radius:var(--radius);padding:8px 12px;min-height:44px;margin:4px 0 16px}
button{font:500 15px/1.3 var(--font);min-height:44px;padding:8px 16px;margin:0 8px 8px 0;border:1px solid transparent;
border-radius:var(--radius);background:var(--accent);color:var(--on-accent);cursor:pointer}
button~button{background:var(--surface);border-color:var(--line-strong);color:var(--ink)}
:focus-visible{outline:2px solid var(--accent);outline-offset:2px}
[hidden]{display:none}
[role=alert]{color:var(--red);background:var(--red-soft);border:1px solid var(--red-line);
border-radius:var(--radius);padding:12px 16px}
)css";

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
        "content=\"width=device-width, initial-scale=1\"><meta name=\"color-scheme\" "
        "content=\"light dark\"><title>" +
        http::escape_html(title) + "</title><style>" + auth::theme(nullptr);
    response.body.append(kPageLook).append("</style><p class=\"brand\">svc</p><main>");
    response.body.append(inner).append("</main>");
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
