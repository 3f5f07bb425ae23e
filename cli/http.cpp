#include "cli/http.hpp"

#include <utility>

#include "cli/version.hpp"
#include "outgoing/curl.hpp"

namespace svc::cli {
namespace {

constexpr long kConnectSeconds = 10;
constexpr long kQuietSeconds = 30;     // a stream without an end shows signs of life more often
constexpr int kTickMilliseconds = 80;  // a live line on the terminal moves while nothing arrives

// The destination of an answer's bytes, which is known only when its head has arrived.
struct Sink {
    const outgoing::Handle* transfer;
    EventReader* events;  // null: not asked for
    Reply* reply;
    const std::function<void()>& on_stream;

    static std::size_t take(char* bytes, std::size_t, std::size_t count, void* self) {
        auto& sink = *static_cast<Sink*>(self);
        const bool stream = sink.transfer->content_type().rfind("text/event-stream", 0) == 0;
        if (stream && sink.events != nullptr) {
            if (!std::exchange(sink.reply->streamed, true) && sink.on_stream) sink.on_stream();
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

std::string explain(CURLcode code, const std::string& detail, const std::string& base,
                    int seconds) {
    switch (code) {
        case CURLE_COULDNT_CONNECT:
            return "Nothing answers at " + base +
                   ". Start the service with ./run serve, or name another with --api or SVC_API.";
        case CURLE_COULDNT_RESOLVE_HOST:
            return "The host of " + base + " is not known. Check --api or SVC_API.";
        case CURLE_OPERATION_TIMEDOUT:
            return base + (seconds == 0 ? " has sent nothing for " : " did not answer within ") +
                   std::to_string(seconds == 0 ? kQuietSeconds : seconds) + " seconds.";
        case CURLE_GOT_NOTHING:
        case CURLE_PARTIAL_FILE:
        case CURLE_RECV_ERROR:
        case CURLE_SEND_ERROR:
            return base + " closed the connection before its answer was complete (" + detail + ").";
        default:
            return "The request to " + base + " failed: " + detail + ".";
    }
}

void set_headers(outgoing::Handle& transfer, const Request& request, const std::string& token) {
    transfer.add(kUserAgent);
    transfer.add(request.on_event ? "Accept: text/event-stream" : "Accept: application/json, */*");
    if (!request.last_id.empty()) transfer.add(("Last-Event-ID: " + request.last_id).c_str());
    if (!token.empty()) transfer.add(("Authorization: Bearer " + token).c_str());
    if (!request.body.empty()) {
        transfer.add("Content-Type: application/json");
        transfer.add("Expect:");  // no round trip before a large body
    }
    transfer.set(CURLOPT_HTTPHEADER, transfer.lines());
}

void set_limits(outgoing::Handle& transfer, int seconds) {
    transfer.set(CURLOPT_PROTOCOLS_STR, "http,https");
    transfer.set(CURLOPT_CONNECTTIMEOUT, kConnectSeconds);
    transfer.set(CURLOPT_TIMEOUT, static_cast<long>(seconds));
    if (seconds != 0) return;
    transfer.set(CURLOPT_LOW_SPEED_LIMIT, 1L);
    transfer.set(CURLOPT_LOW_SPEED_TIME, kQuietSeconds);
}

void set_body(outgoing::Handle& transfer, const Request& request) {
    if (!request.body.empty()) {
        transfer.set(CURLOPT_POSTFIELDS, request.body.data());
        transfer.set(CURLOPT_POSTFIELDSIZE_LARGE, static_cast<curl_off_t>(request.body.size()));
    }
    transfer.set(CURLOPT_CUSTOMREQUEST, request.method.c_str());
}

}  // namespace

Http::Http(std::string base, std::string token)
    : base_(std::move(base)), token_(std::move(token)) {}

Reply Http::send(const Request& request, const std::function<void()>& tick) const {
    outgoing::Handle transfer;
    Reply reply;
    EventReader events(request.on_event ? request.on_event : [](const Event&) {});
    Sink sink{&transfer, request.on_event ? &events : nullptr, &reply, request.on_stream};
    char words[CURL_ERROR_SIZE] = "";

    set_limits(transfer, request.seconds);
    set_body(transfer, request);
    set_headers(transfer, request, token_);
    transfer.set(CURLOPT_URL, (base_ + request.path).c_str());  // is copied
    transfer.set(CURLOPT_ERRORBUFFER, words);
    transfer.set(CURLOPT_WRITEFUNCTION, &Sink::take);
    transfer.set(CURLOPT_WRITEDATA, &sink);
    // A proxy of the environment cannot reach this machine's own loopback.
    if (is_loopback(base_)) transfer.set(CURLOPT_PROXY, "");

    const CURLcode result = transfer.perform(tick, kTickMilliseconds);
    const char* detail = *words != '\0' ? words : transfer.words(result);
    if (result != CURLE_OK) reply.trouble = explain(result, detail, base_, request.seconds);
    reply.last_id = events.last_id();
    reply.status = static_cast<int>(transfer.answer_code());
    return reply;
}

}  // namespace svc::cli
