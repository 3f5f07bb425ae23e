#include "outgoing/transfer.hpp"

#include "base/ascii.hpp"

namespace svc::outgoing {
namespace {

constexpr std::size_t kMostBytes = 1024 * 1024;
constexpr std::size_t kMostHeaders = 100;

}  // namespace

Transfer::Transfer(Fetch request)
    : request_(std::move(request)), gate_(request_.allowed, host_of(request_.url)) {
    set_request();
    handle_.set(CURLOPT_WRITEFUNCTION, &Transfer::keep);
    handle_.set(CURLOPT_WRITEDATA, this);
    handle_.set(CURLOPT_HEADERFUNCTION, &Transfer::keep_header);
    handle_.set(CURLOPT_HEADERDATA, this);
    gate_.guard(handle_);
}

void Transfer::set_request() {
    handle_.set(CURLOPT_URL, request_.url.c_str());
    handle_.set(CURLOPT_PROTOCOLS_STR,
                is_loopback_name(host_of(request_.url)) ? "http,https" : "https");
    handle_.set(CURLOPT_TIMEOUT, static_cast<long>(request_.seconds));
    handle_.set(CURLOPT_CUSTOMREQUEST, request_.method.c_str());
    handle_.set(CURLOPT_USERAGENT, "svc");
    for (const std::string& header : request_.headers) handle_.add(header.c_str());
    handle_.set(CURLOPT_HTTPHEADER, handle_.lines());
    if (!request_.body.empty()) {
        handle_.set(CURLOPT_POSTFIELDSIZE, static_cast<long>(request_.body.size()));
        handle_.set(CURLOPT_POSTFIELDS, request_.body.c_str());
    }
    if (request_.user.empty()) return;
    handle_.set(CURLOPT_HTTPAUTH, static_cast<long>(CURLAUTH_BASIC));
    handle_.set(CURLOPT_USERNAME, request_.user.c_str());
    handle_.set(CURLOPT_PASSWORD, request_.password.c_str());
}

std::size_t Transfer::keep(char* data, std::size_t size, std::size_t count, void* transfer) {
    auto* self = static_cast<Transfer*>(transfer);
    std::string& body = self->fetched_.body;
    self->too_long_ = body.size() + size * count > kMostBytes;
    if (self->too_long_) return 0;
    body.append(data, size * count);
    return size * count;
}

std::size_t Transfer::keep_header(char* data, std::size_t size, std::size_t count, void* transfer) {
    auto& headers = static_cast<Transfer*>(transfer)->fetched_.headers;
    std::string_view line(data, size * count);
    while (line.ends_with('\n') || line.ends_with('\r')) line.remove_suffix(1);
    const std::size_t colon = line.find(':');
    if (line.starts_with("HTTP/"))
        headers.clear();  // those before it were of an interim answer
    else if (colon != std::string_view::npos && headers.size() < kMostHeaders)
        headers.emplace_back(base::lower(line.substr(0, colon)),
                             base::trim(line.substr(colon + 1)));
    return size * count;
}

Fetched Transfer::end(CURLcode code) {
    if (code == CURLE_OK) {
        fetched_.status = static_cast<int>(handle_.answer_code());
        return std::move(fetched_);
    }
    Fetched none;
    none.error = gate_.refused() ? kPrivate
                 : too_long_     ? "the answer is longer than a megabyte"
                                 : handle_.words(code);
    return none;
}

}  // namespace svc::outgoing
