// Makes the request of an http step. No value can change more than its own place in it.
#include <algorithm>

#include "base/ascii.hpp"
#include "base/url_host.hpp"
#include "run/call/http_step.hpp"

namespace svc::run {
namespace {

using Kind = json::Value::Kind;

constexpr std::int64_t kUsualSeconds = 30, kMostSeconds = 3600;
constexpr std::string_view kKey = "idempotency-key";
// Headers that the request's own framing and address set.
constexpr std::string_view kOwnHeaders[] = {"host",       "content-length", "transfer-encoding",
                                            "connection", "expect",         "upgrade",
                                            "te",         "trailer"};

bool is_token(std::string_view text) {
    const auto fits = [](char c) {
        return base::is_alphanumeric(c) ||
               std::string_view("!#$%&'*+-.^_`|~").find(c) != std::string_view::npos;
    };
    return !text.empty() && std::ranges::all_of(text, fits);
}

bool is_own(std::string_view name) {
    return std::ranges::any_of(kOwnHeaders, [name](auto own) { return base::iequals(own, name); });
}

Prepared refused(StepCode code, std::string error) {
    Prepared out;
    out.refused = failed(code, std::move(error));
    return out;
}

// https anywhere, http to this machine alone: as the calls themselves take it.
bool may_be_called(const std::string& url) {
    const std::string host = base::host_of(url);
    if (host.empty()) return false;
    return url.starts_with("https://") ||
           (url.starts_with("http://") && base::is_loopback_name(host));
}

bool has_header(const outgoing::Fetch& fetch, std::string_view name) {
    return std::ranges::any_of(fetch.headers, [name](const std::string& line) {
        return base::iequals(std::string_view(line).substr(0, line.find(':')), name);
    });
}

// A text is sent as it is, everything else as JSON.
void set_body(const json::Value& request, outgoing::Fetch& fetch) {
    const json::Value* body = request.find("body");
    if (!body || body->is(Kind::null)) return;
    const bool text = body->is(Kind::string);
    fetch.body = text ? body->text : body->shown();
    if (has_header(fetch, "content-type")) return;
    fetch.headers.push_back(text ? "Content-Type: text/plain; charset=utf-8"
                                 : "Content-Type: application/json");
}

}  // namespace

bool add_header(outgoing::Fetch& fetch, std::string_view name, std::string_view value) {
    const auto stays = [](char c) { return (c >= ' ' && c != 127) || c == '\t'; };
    if (!is_token(name) || is_own(name) || !std::ranges::all_of(value, stays)) return false;
    // Without a value curl takes the line for "leave this header out"; with ';' it sends it empty.
    fetch.headers.push_back(std::string(name) + (value.empty() ? ";" : ": " + std::string(value)));
    return true;
}

Prepared prepare(const ServiceCall& asked) {
    Prepared out;
    out.fetch.method = asked.request.text_of("method");
    out.fetch.url = asked.request.text_of("url");
    out.fetch.seconds = static_cast<unsigned>(
        std::min(asked.timeout > 0 ? asked.timeout : kUsualSeconds, kMostSeconds));
    if (out.fetch.method.empty()) out.fetch.method = "GET";
    if (!is_token(out.fetch.method))
        return refused(StepCode::method_refused, "The method of the call is not a word.");
    if (!may_be_called(out.fetch.url))
        return refused(StepCode::url_refused, "The address of the call must begin with https://.");
    const json::Value* headers = asked.request.find("headers");
    for (const auto& [name, value] :
         headers ? headers->members : std::vector<json::Value::Member>()) {
        if (base::iequals(name, kKey)) continue;
        if (!add_header(out.fetch, name, value.text))
            return refused(StepCode::header_refused,
                           "The header " + name +
                               " may not be set by a step, or its value is not a single line.");
    }
    if (!add_header(out.fetch, "Idempotency-Key", asked.idempotency_key))
        return refused(StepCode::header_refused,
                       "The value of `idempotency` must be a single line.");
    set_body(asked.request, out.fetch);
    return out;
}

}  // namespace svc::run
