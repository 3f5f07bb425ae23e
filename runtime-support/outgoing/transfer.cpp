#include "outgoing/transfer.hpp"

#include <utility>

#include "base/ascii.hpp"
#include "base/url_host.hpp"

namespace svc::outgoing {
namespace {

constexpr long kConnecting = 10;
constexpr std::size_t kMostHeaders = 100;

std::string too_long(std::size_t most) {
    const std::size_t megabytes = most >> 20;
    return "the answer is longer than " +
           (megabytes == 1 ? "a megabyte" : std::to_string(megabytes) + " megabytes");
}

}  // namespace

Transfer::Transfer(Fetch request, std::shared_ptr<Incoming> incoming)
    : request_(std::move(request)),
      guard_(request_.allowed, base::host_of(request_.url)),
      incoming_(std::move(incoming)) {
    set_request();
    handle_.set(CURLOPT_WRITEFUNCTION, &Transfer::keep);
    handle_.set(CURLOPT_WRITEDATA, this);
    handle_.set(CURLOPT_HEADERFUNCTION, &Transfer::keep_header);
    handle_.set(CURLOPT_HEADERDATA, this);
    // A reader of HTTP/2 that stops reading does not stop its sender: libcurl keeps what the window
    // of its stream has, which are megabytes.
    if (incoming_) handle_.set(CURLOPT_HTTP_VERSION, static_cast<long>(CURL_HTTP_VERSION_1_1));
    guard_.attach(handle_);
}

void Transfer::set_request() {
    handle_.set(CURLOPT_URL, request_.url.c_str());
    handle_.set(CURLOPT_PROTOCOLS_STR,
                request_.plain || base::is_loopback_name(base::host_of(request_.url)) ? "http,https"
                                                                                      : "https");
    handle_.set(CURLOPT_TIMEOUT, static_cast<long>(request_.seconds));
    handle_.set(CURLOPT_CONNECTTIMEOUT, kConnecting);
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
    if (self->incoming_) return self->hand_on({data, size * count});
    std::string& body = self->fetched_.body;
    self->too_long_ = body.size() + size * count > self->request_.most_bytes;
    if (self->too_long_) return 0;
    body.append(data, size * count);
    return size * count;
}

void Transfer::tell_head() {
    if (std::exchange(head_told_, true)) return;
    fetched_.status = static_cast<int>(handle_.answer_code());
    fetched_.reached = true;
    incoming_->begin(fetched_);
}

std::size_t Transfer::hand_on(std::string_view bytes) {
    tell_head();
    switch (incoming_->add(bytes)) {
        case Incoming::Taken::all:
            return bytes.size();
        case Incoming::Taken::later:
            return CURL_WRITEFUNC_PAUSE;
        case Incoming::Taken::none:
            break;
    }
    return 0;
}

std::size_t Transfer::keep_header(char* data, std::size_t size, std::size_t count, void* transfer) {
    auto* self = static_cast<Transfer*>(transfer);
    auto& headers = self->fetched_.headers;
    std::string_view line(data, size * count);
    while (line.ends_with('\n') || line.ends_with('\r')) line.remove_suffix(1);
    const std::size_t colon = line.find(':');
    if (line.starts_with("HTTP/"))
        headers.clear();  // those before it were of an interim answer
    else if (colon != std::string_view::npos && headers.size() < kMostHeaders)
        headers.emplace_back(base::lower(line.substr(0, colon)),
                             base::trim(line.substr(colon + 1)));
    // The blank line: nothing more belongs to the head, unless it was an interim one.
    if (line.empty() && self->handle_.answer_code() >= 200) {
        self->head_whole_ = true;
        if (self->incoming_) self->tell_head();
    }
    return size * count;
}

Fetched Transfer::end(CURLcode code) {
    // curl is content with a head that its connection cut off.
    if (code == CURLE_OK && head_whole_) {
        if (incoming_) tell_head();
        fetched_.status = static_cast<int>(handle_.answer_code());
        fetched_.reached = true;
        return std::move(fetched_);
    }
    Fetched none;
    none.reached = handle_.sent_bytes() > 0;
    none.for_good = guard_.refused() || too_long_;
    none.error = guard_.refused()   ? kPrivate
                 : too_long_        ? too_long(request_.most_bytes)
                 : code == CURLE_OK ? "the answer was cut off"
                                    : handle_.words(code);
    return none;
}

}  // namespace svc::outgoing
