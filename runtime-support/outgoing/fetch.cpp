#include "outgoing/fetch.hpp"

#include <algorithm>
#include <stdexcept>

#include "outgoing/curl.hpp"
#include "outgoing/gate.hpp"

namespace svc::outgoing {
namespace {

constexpr long kFetchSeconds = 10;
constexpr std::size_t kMostBytes = 1024 * 1024;

struct Answer {
    std::string body;
    bool too_long = false;
};

std::size_t keep(char* data, std::size_t size, std::size_t count, void* to) {
    auto* answer = static_cast<Answer*>(to);
    answer->too_long = answer->body.size() + size * count > kMostBytes;
    if (answer->too_long) return 0;
    answer->body.append(data, size * count);
    return size * count;
}

void set_request(Handle& handle, const Fetch& request) {
    handle.set(CURLOPT_URL, request.url.c_str());
    handle.set(CURLOPT_PROTOCOLS_STR,
               is_loopback_name(host_of(request.url)) ? "http,https" : "https");
    handle.set(CURLOPT_TIMEOUT, kFetchSeconds);
    handle.set(CURLOPT_CUSTOMREQUEST, request.method.c_str());
    handle.set(CURLOPT_USERAGENT, "svc");
    for (const std::string& header : request.headers) handle.add(header.c_str());
    handle.set(CURLOPT_HTTPHEADER, handle.lines());
    if (!request.body.empty()) {
        handle.set(CURLOPT_POSTFIELDSIZE, static_cast<long>(request.body.size()));
        handle.set(CURLOPT_POSTFIELDS, request.body.c_str());
    }
    if (request.user.empty()) return;
    handle.set(CURLOPT_HTTPAUTH, static_cast<long>(CURLAUTH_BASIC));
    handle.set(CURLOPT_USERNAME, request.user.c_str());
    handle.set(CURLOPT_PASSWORD, request.password.c_str());
}

}  // namespace

Fetched fetch(const Fetch& request) {
    Answer answer;
    Gate gate(request.allowed, host_of(request.url));
    try {
        Handle handle;
        set_request(handle, request);
        handle.set(CURLOPT_WRITEFUNCTION, keep);
        handle.set(CURLOPT_WRITEDATA, &answer);
        gate.guard(handle);
        const CURLcode code = handle.perform();
        if (code == CURLE_OK) return {static_cast<int>(handle.answer_code()), answer.body, {}};
        if (gate.refused()) return {0, {}, kPrivate};
        if (answer.too_long) return {0, {}, "the answer is longer than a megabyte"};
        return {0, {}, handle.words(code)};
    } catch (const std::exception& error) {
        return {0, {}, error.what()};
    }
}

std::string host_of(std::string_view url) {
    const auto scheme = url.find("://");
    if (scheme == std::string_view::npos) return {};
    url.remove_prefix(scheme + 3);
    url = url.substr(0, url.find_first_of("/?#"));
    if (const auto at = url.rfind('@'); at != std::string_view::npos) url.remove_prefix(at + 1);
    if (url.starts_with('[')) return std::string(url.substr(0, url.find(']') + 1));
    return std::string(url.substr(0, url.find(':')));
}

bool is_loopback_name(std::string_view host) {
    return host == "localhost" || host == "127.0.0.1" || host == "[::1]";
}

}  // namespace svc::outgoing
