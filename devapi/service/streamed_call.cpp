// A call whose client follows it as a stream of events.
#include <boost/asio.hpp>
#include <functional>

#include "service/dev_call.hpp"

namespace svc::devapi {
namespace {

std::string event_frame(std::string_view event, const json& data) {
    return "event: " + std::string(event) + "\ndata: " + to_text(data) + "\n\n";
}

// The last event carries what the body would have carried.
std::string last_frame(const Response& response) {
    json data = json::parse(response.body, nullptr, false);
    if (response.status < 400) return event_frame("done", data);
    data["status"] = response.status;
    return event_frame("error", data);
}

void send_frame(const std::shared_ptr<Progress>& progress, std::string_view event,
                std::string_view data, std::string_view id) {
    std::string frame = event.empty() ? ": \n" : "event: " + std::string(event) + '\n';
    if (!id.empty()) frame += "id: " + std::string(id) + '\n';
    if (!event.empty()) frame += "data: " + std::string(data) + '\n';
    progress->push(frame + '\n');
}

void send_events(const std::shared_ptr<Progress>& progress, std::string_view event,
                 const json& data) {
    progress->push(event_frame(event, data));
}

// Called when the worker is done with the call for good.
struct Finish {
    std::shared_ptr<Progress> progress;
    void operator()(const std::exception_ptr&) const { progress->finish(); }
};

}  // namespace

// A refusal before anything happened is an ordinary answer; the stream opens with the first event.
Task<> DevService::stream(http::Exchange& exchange, Call& call) {
    call.progress = std::make_shared<Progress>(co_await asio::this_coro::executor);
    call.request.progress = std::bind_front(send_events, call.progress);
    call.request.send_text = std::bind_front(send_frame, call.progress);
    call.request.listening = std::bind_front(&Progress::listened, call.progress);
    const Finish finish{call.progress};
    asio::co_spawn(co_await asio::this_coro::executor, run(call), finish);
    std::string frames;
    http::EventStream* events = nullptr;
    bool listening = true;
    // The work uses what this coroutine owns: it waits for the end also when nobody listens any
    // more.
    while (co_await call.progress->next(frames)) {
        if (!events) events = co_await exchange.open_stream();
        if (listening) listening = co_await events->send(frames);
        if (!listening) call.progress->lose_listener();
    }
    if (events && listening) co_await events->send(last_frame(call.response));
}

}  // namespace svc::devapi
