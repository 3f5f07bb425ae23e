#include "auth/page.hpp"

#include "http/text.hpp"

namespace svc::auth {
namespace {

constexpr std::string_view kStyle =
    "body{font:16px/1.5 system-ui,sans-serif;max-width:24rem;margin:15vh auto;padding:0 "
    "1rem;color:#1b1f24}"
    "h1{font-size:1.25rem}label{display:block;margin:1rem 0 .25rem}"
    "input{font:inherit;width:100%;box-sizing:border-box;padding:.5rem;border:1px solid "
    "#8a9099;border-radius:6px}"
    "button{font:inherit;margin-top:1rem;padding:.5rem "
    "1rem;border:0;border-radius:6px;background:#1f5fd0;color:#fff}"
    ".error{color:#a4161a}";

}  // namespace

void answer_page(http::Exchange& exchange, std::string_view title, std::string_view body) {
    http::Reply& reply = exchange.reply();
    reply.content_type = "text/html; charset=utf-8";
    reply.header("Cache-Control", "no-store");
    reply.header("Referrer-Policy", "no-referrer");
    reply.header("Content-Security-Policy",
                 "default-src 'none'; style-src 'unsafe-inline'; form-action 'self'; "
                 "frame-ancestors 'none'; base-uri 'none'");
    reply.body =
        "<!doctype html><html lang=\"en\"><meta charset=\"utf-8\">"
        "<meta name=\"viewport\" content=\"width=device-width\"><title>";
    const std::string heading = http::escape_html(title);
    reply.body += heading;
    reply.body += "</title><style>";
    reply.body += kStyle;
    reply.body += "</style><h1>";
    reply.body += heading;
    reply.body += "</h1>";
    reply.body += body;
    reply.body += "</html>";
}

}  // namespace svc::auth
