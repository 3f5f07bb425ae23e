#include "feed/stream/handover.hpp"

#include <algorithm>

#include "base/ascii.hpp"
#include "base/base64url.hpp"

namespace svc::feed {
namespace {

constexpr std::string_view kSign = "x-svc-stream";
constexpr std::string_view kId = "last-event-id";

// The headers that name the target, the sender and the origin of a request.
constexpr std::string_view kKept[] = {
    "host",           "authorization",     "origin",        "cookie",         "sec-fetch-site",
    "x-svc-env",      "x-forwarded-for",   "x-svc-app-org", "x-svc-app-user", "x-forwarded-proto",
    "x-svc-app-role", "x-svc-app-session", "x-svc-page"};

void append_line(std::string& out, std::string_view name, std::string_view value) {
    out.append(name).append(": ").append(value).append("\r\n");
}

}  // namespace

std::string Handover::kept(const http::Head& head) {
    std::string out = "GET " + std::string(head.target) + " HTTP/1.1\r\n";
    for (const http::Header& header : head.headers) {
        const auto same = [&](std::string_view name) { return base::iequals(name, header.name); };
        if (std::ranges::any_of(kKept, same)) append_line(out, header.name, header.value);
    }
    return out;
}

std::string Handover::request(const std::string& kept, std::string_view id) const {
    std::string out = kept;
    append_line(out, kId, id);
    append_line(out, kSign, base::base64url(signer_.sign(id)));
    return out + "\r\n";
}

bool Handover::continues(const http::Head& head) const {
    const std::string_view shown = head.header(kSign);
    if (shown.empty()) return false;
    const auto signature = base::base64url_decoded(shown);
    return signature && signer_.holds(head.header(kId), *signature);
}

}  // namespace svc::feed
