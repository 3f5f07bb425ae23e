#include "auth/outside.hpp"

#include <boost/asio/post.hpp>
#include <boost/asio/redirect_error.hpp>
#include <boost/asio/this_coro.hpp>

#include "outgoing/off_thread.hpp"

namespace svc::auth {
namespace {

constexpr std::chrono::hours kKept{1};
constexpr std::chrono::seconds kFailureKept{30};

struct FetchJob {
    outgoing::Fetch request;
    outgoing::Fetched operator()() const { return outgoing::fetch(request); }
};

}  // namespace

Outside::Outside(outgoing::AllowedHosts allowed) : allowed_(std::move(allowed)) {}
Outside::~Outside() = default;

Task<outgoing::Fetched> Outside::fetch(outgoing::Fetch request) {
    request.allowed = allowed_;
    FetchJob fetching{std::move(request)};
    co_return co_await outgoing::off_thread(threads_, std::move(fetching));
}

Task<Outside::Document> Outside::document(std::string url, Usable usable) {
    const auto executor = co_await asio::this_coro::executor;
    for (;;) {
        auto timer =
            std::make_shared<asio::steady_timer>(executor, asio::steady_timer::time_point::max());
        if (Document known = known_or_wait(url, usable, {executor, timer})) co_return known;
        boost::system::error_code cancelled;
        co_await timer->async_wait(asio::redirect_error(asio::use_awaitable, cancelled));
    }
}

// Null: `waiting` was noted, and is woken when the document has come.
Outside::Document Outside::known_or_wait(const std::string& url, Usable usable, Waiter waiting) {
    const std::lock_guard lock(mutex_);
    CachedDocument& asked = asked_[url];
    if (asked.document && asked.until >= std::chrono::steady_clock::now()) return asked.document;
    const bool under_way = !asked.document && !asked.waiting.empty();
    asked.document = nullptr;
    asked.waiting.push_back(std::move(waiting));
    if (!under_way) ask(url, usable);
    return nullptr;
}

// Runs on a thread of this pool, so it continues after its first caller has left.
void Outside::ask(const std::string& url, Usable usable) {
    asio::post(threads_, [this, url, usable] {
        outgoing::Fetch request;
        request.url = url;
        request.allowed = allowed_;
        const auto got = std::make_shared<const outgoing::Fetched>(outgoing::fetch(request));
        settle(url, got, usable(*got));
    });
}

void Outside::settle(const std::string& url, Document document, bool usable) {
    std::vector<Waiter> waiting;
    {
        const std::lock_guard lock(mutex_);
        CachedDocument& asked = asked_[url];
        asked.until = std::chrono::steady_clock::now() + (usable ? kKept : kFailureKept);
        asked.document = std::move(document);
        waiting.swap(asked.waiting);
    }
    for (const Waiter& one : waiting)
        asio::post(one.executor, [timer = one.timer] {
            if (const auto alive = timer.lock()) alive->cancel();
        });
}

}  // namespace svc::auth
