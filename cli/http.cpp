#include "cli/http.hpp"

#include <curl/curl.h>

#include <memory>
#include <new>
#include <stdexcept>
#include <utility>

#include "cli/version.hpp"

namespace svc::cli {
namespace {

constexpr long kConnectSeconds = 10;

// CURL and CURLM are both void: one deleter a kind.
template <auto release>
struct Deleter {
    template <typename T>
    void operator()(T* thing) const {
        release(thing);
    }
};
using Easy = std::unique_ptr<CURL, Deleter<curl_easy_cleanup>>;
using Multi = std::unique_ptr<CURLM, Deleter<curl_multi_cleanup>>;
using Headers = std::unique_ptr<curl_slist, Deleter<curl_slist_free_all>>;

void add(Headers& headers, const std::string& line) {
    curl_slist* longer = curl_slist_append(headers.get(), line.c_str());
    if (longer == nullptr) throw std::bad_alloc();
    (void)headers.release();
    headers.reset(longer);
}

// Where the bytes of an answer go: which one is known only once its head has arrived.
struct Sink {
    CURL* easy;
    EventReader* events;  // null: not asked for
    Reply* reply;

    static std::size_t take(char* bytes, std::size_t, std::size_t count, void* self) {
        auto& sink = *static_cast<Sink*>(self);
        const char* type = nullptr;
        curl_easy_getinfo(sink.easy, CURLINFO_CONTENT_TYPE, &type);
        const bool stream = type != nullptr && std::string(type).rfind("text/event-stream", 0) == 0;
        if (stream && sink.events != nullptr) {
            sink.reply->streamed = true;
            sink.events->feed({bytes, count});
        } else {
            sink.reply->body.append(bytes, count);
        }
        return count;
    }
};

bool is_loopback(const std::string& base) {
    for (const char* host : {"://127.", "://localhost", "://[::1]"}) {
        if (base.find(host) != std::string::npos) return true;
    }
    return false;
}

std::string explain(CURLcode code, const char* words, const std::string& base, int seconds) {
    const std::string detail = *words != '\0' ? words : curl_easy_strerror(code);
    switch (code) {
        case CURLE_COULDNT_CONNECT:
            return "Nothing answers at " + base +
                   ". Start the service with ./run serve, or name another with --api or SVC_API.";
        case CURLE_COULDNT_RESOLVE_HOST:
            return "The host of " + base + " is not known. Check --api or SVC_API.";
        case CURLE_OPERATION_TIMEDOUT:
            return base + " did not answer within " + std::to_string(seconds) + " seconds.";
        case CURLE_GOT_NOTHING:
        case CURLE_PARTIAL_FILE:
        case CURLE_RECV_ERROR:
        case CURLE_SEND_ERROR:
            return base + " broke the connection off before its answer was complete (" + detail +
                   ").";
        default:
            return "The request to " + base + " failed: " + detail + ".";
    }
}

// Runs the transfer in slices, so that a live line on the terminal moves while nothing arrives.
CURLcode perform(CURL* easy, const std::function<void()>& tick) {
    const Multi multi(curl_multi_init());
    if (!multi || curl_multi_add_handle(multi.get(), easy) != CURLM_OK) throw std::bad_alloc();
    int running = 1;
    CURLMcode state = CURLM_OK;
    while (running != 0 && state == CURLM_OK) {
        state = curl_multi_perform(multi.get(), &running);
        if (running == 0 || state != CURLM_OK) break;
        state = curl_multi_poll(multi.get(), nullptr, 0, 80, nullptr);
        tick();
    }
    CURLcode result = state == CURLM_OK ? CURLE_OK : CURLE_OUT_OF_MEMORY;
    int left = 0;
    while (const CURLMsg* message = curl_multi_info_read(multi.get(), &left)) {
        if (message->msg == CURLMSG_DONE) result = message->data.result;
    }
    curl_multi_remove_handle(multi.get(), easy);
    return result;
}

void start_curl() {
    static const CURLcode started = curl_global_init(CURL_GLOBAL_DEFAULT);
    if (started != CURLE_OK) throw std::runtime_error("libcurl does not start");
}

Headers headers_of(const Request& request, const std::string& token) {
    Headers headers;
    add(headers, kUserAgent);
    add(headers, request.on_event ? "Accept: text/event-stream" : "Accept: application/json, */*");
    if (!token.empty()) add(headers, "Authorization: Bearer " + token);
    if (!request.body.empty()) {
        add(headers, "Content-Type: application/json");
        add(headers, "Expect:");  // no round trip before a large body
    }
    return headers;
}

void set_limits(CURL* easy, int seconds) {
    curl_easy_setopt(easy, CURLOPT_PROTOCOLS_STR, "http,https");
    curl_easy_setopt(easy, CURLOPT_NOSIGNAL, 1L);
    curl_easy_setopt(easy, CURLOPT_CONNECTTIMEOUT, kConnectSeconds);
    curl_easy_setopt(easy, CURLOPT_TIMEOUT, static_cast<long>(seconds));
}

void set_body(CURL* easy, const Request& request) {
    if (!request.body.empty()) {
        curl_easy_setopt(easy, CURLOPT_POSTFIELDS, request.body.data());
        curl_easy_setopt(easy, CURLOPT_POSTFIELDSIZE_LARGE,
                         static_cast<curl_off_t>(request.body.size()));
    }
    curl_easy_setopt(easy, CURLOPT_CUSTOMREQUEST, request.method.c_str());
}

}  // namespace

Http::Http(std::string base, std::string token)
    : base_(std::move(base)), token_(std::move(token)) {}

Reply Http::send(const Request& request, const std::function<void()>& tick) const {
    start_curl();
    const Easy easy(curl_easy_init());
    if (!easy) throw std::bad_alloc();
    Reply reply;
    EventReader events(request.on_event ? request.on_event : [](const Event&) {});
    Sink sink{easy.get(), request.on_event ? &events : nullptr, &reply};
    char words[CURL_ERROR_SIZE] = "";
    const std::string url = base_ + request.path;
    const Headers headers = headers_of(request, token_);

    set_limits(easy.get(), request.seconds);
    set_body(easy.get(), request);
    curl_easy_setopt(easy.get(), CURLOPT_URL, url.c_str());
    curl_easy_setopt(easy.get(), CURLOPT_HTTPHEADER, headers.get());
    curl_easy_setopt(easy.get(), CURLOPT_ERRORBUFFER, words);
    curl_easy_setopt(easy.get(), CURLOPT_WRITEFUNCTION, &Sink::take);
    curl_easy_setopt(easy.get(), CURLOPT_WRITEDATA, &sink);
    // A proxy of the environment cannot reach this machine's own loopback.
    if (is_loopback(base_)) curl_easy_setopt(easy.get(), CURLOPT_PROXY, "");

    const CURLcode result = perform(easy.get(), tick);
    if (result != CURLE_OK) reply.trouble = explain(result, words, base_, request.seconds);
    long status = 0;
    curl_easy_getinfo(easy.get(), CURLINFO_RESPONSE_CODE, &status);
    reply.status = static_cast<int>(status);
    return reply;
}

}  // namespace svc::cli
