#include "outgoing/calls.hpp"

#include <list>
#include <mutex>
#include <stdexcept>
#include <thread>
#include <utility>
#include <vector>

#include "outgoing/transfer.hpp"

namespace svc::outgoing {
namespace {

constexpr int kPatience = 60'000;  // ms; every call that begins wakes the thread

Fetched not_sent(const char* why) {
    Fetched none;
    none.error = why;
    return none;
}

}  // namespace

// Its thread begins with the first call.
struct Calls::Impl {
    struct WaitingCall {
        Fetch request;
        Done done;
        std::shared_ptr<Incoming> incoming;  // null: the answer is wanted whole
    };
    struct RunningCall {
        explicit RunningCall(WaitingCall asked)
            : transfer(std::move(asked.request), std::move(asked.incoming)),
              done(std::move(asked.done)) {}
        Transfer transfer;
        Done done;
    };

    void stop();
    void run();
    bool take(std::vector<WaitingCall>& asked);
    void start(WaitingCall asked);
    void settle();
    void look_after();
    void nudge();

    const Curl* curl = nullptr;
    CURLM* multi = nullptr;
    std::list<RunningCall> running;  // of the thread alone

    std::mutex mutex;  // of all below
    std::vector<WaitingCall> waiting;
    // `nudged`: a reader has room again, or has gone.
    bool stopped = false, nudged = false;
    std::thread thread;
};

void Calls::Impl::stop() {
    {
        const std::lock_guard lock(mutex);
        stopped = true;
        if (multi) curl->multi_wakeup(multi);
    }
    if (thread.joinable()) thread.join();
    for (RunningCall& one : running) curl->multi_remove_handle(multi, one.transfer.handle().get());
    running.clear();
    if (multi) curl->multi_cleanup(multi);
    const std::lock_guard lock(mutex);
    multi = nullptr;
}

// False: it is over.
bool Calls::Impl::take(std::vector<WaitingCall>& asked) {
    bool look = false;
    {
        const std::lock_guard lock(mutex);
        asked.swap(waiting);
        look = std::exchange(nudged, false);
        if (stopped) return false;
    }
    if (look) look_after();
    return true;
}

void Calls::Impl::nudge() {
    const std::lock_guard lock(mutex);
    nudged = true;
    if (multi) curl->multi_wakeup(multi);
}

// Readers that have room again, and those that want no more.
void Calls::Impl::look_after() {
    for (auto one = running.begin(); one != running.end();) {
        Incoming* const incoming = one->transfer.incoming();
        const auto demand = incoming ? incoming->demand() : Incoming::Demand::none;
        if (demand == Incoming::Demand::more) one->transfer.handle().go_on();
        if (demand != Incoming::Demand::end) {
            ++one;
            continue;
        }
        curl->multi_remove_handle(multi, one->transfer.handle().get());
        one->done(one->transfer.end(CURLE_ABORTED_BY_CALLBACK));
        one = running.erase(one);
    }
}

void Calls::Impl::start(WaitingCall asked) {
    const Done done = asked.done;
    if (asked.incoming && asked.incoming->demand() == Incoming::Demand::end)
        return done(not_sent("the request was cancelled"));
    try {
        running.emplace_back(std::move(asked));
    } catch (const std::exception& error) {
        return done(not_sent(error.what()));
    }
    if (curl->multi_add_handle(multi, running.back().transfer.handle().get()) == CURLM_OK) return;
    running.pop_back();
    done(not_sent("libcurl takes no more calls"));
}

// Reports the calls that have ended.
void Calls::Impl::settle() {
    int left = 0;
    while (const CURLMsg* message = curl->multi_info_read(multi, &left)) {
        if (message->msg != CURLMSG_DONE) continue;
        CURL* const easy = message->easy_handle;
        const CURLcode code = message->data.result;
        curl->multi_remove_handle(multi, easy);
        running.remove_if([easy, code](RunningCall& one) {
            if (one.transfer.handle().get() != easy) return false;
            one.done(one.transfer.end(code));
            return true;
        });
    }
}

void Calls::Impl::run() {
    for (;;) {
        std::vector<WaitingCall> asked;
        if (!take(asked)) return;
        for (WaitingCall& one : asked) start(std::move(one));
        int active = 0;
        curl->multi_perform(multi, &active);
        settle();
        curl->multi_poll(multi, nullptr, 0, kPatience, nullptr);
    }
}

Calls::Calls() : impl_(std::make_shared<Impl>()) {}
Calls::~Calls() { impl_->stop(); }

std::shared_ptr<Incoming> Calls::open(asio::io_context& io, Fetch request) {
    // The reader holds no call that is over: what it asks for then goes nowhere.
    const std::weak_ptr<Impl> weak = impl_;
    auto inside = std::make_shared<Incoming>(io, [weak] {
        if (const auto impl = weak.lock()) impl->nudge();
    });
    begin(
        std::move(request), [inside](Fetched fetched) { inside->end(std::move(fetched)); }, inside);
    return {inside.get(), [inside](Incoming*) { inside->cancel(); }};
}

void Calls::begin(Fetch request, Done done, std::shared_ptr<Incoming> incoming) {
    Impl& impl = *impl_;
    std::unique_lock lock(impl.mutex);
    try {
        if (!impl.curl) impl.curl = &Curl::library();
        if (!impl.multi) impl.multi = impl.curl->multi_init();
        if (!impl.multi) throw std::bad_alloc();
        if (!impl.thread.joinable()) impl.thread = std::thread([&impl] { impl.run(); });
    } catch (const std::exception& error) {
        return done(not_sent(error.what()));
    }
    impl.waiting.push_back({std::move(request), std::move(done), std::move(incoming)});
    const Curl* const curl = impl.curl;
    CURLM* const multi = impl.multi;
    // The thread that wakes would wait for the lock. `multi` lives as long as this object.
    lock.unlock();
    curl->multi_wakeup(multi);
}

}  // namespace svc::outgoing
