// Calls of account routes to other services: threads that may block, and a cache of the answers.
// One for all io threads of a process.
#pragma once

#include <boost/asio/steady_timer.hpp>
#include <boost/asio/thread_pool.hpp>
#include <chrono>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "http/task.hpp"
#include "outgoing/fetch.hpp"

namespace svc::auth {

class Outside {
  public:
    explicit Outside(outgoing::AllowedHosts allowed);
    ~Outside();

    Task<outgoing::Fetched> fetch(outgoing::Fetch request);

    // The answer to a GET. Parallel requests for it make one call. A usable answer is kept for an
    // hour, any other for half a minute, so that nobody can make the server call a dead service all
    // the time.
    using Document = std::shared_ptr<const outgoing::Fetched>;
    using Usable = bool (*)(const outgoing::Fetched&);
    Task<Document> document(std::string url, Usable usable);

  private:
    // A caller that waits on its own io thread.
    struct Waiter {
        asio::any_io_executor executor;
        std::weak_ptr<asio::steady_timer> timer;  // expires with the caller
    };
    struct CachedDocument {
        Document document;  // null: the call is in progress
        std::chrono::steady_clock::time_point until;
        std::vector<Waiter> waiting;
    };
    void ask(const std::string& url, Usable usable);
    void settle(const std::string& url, Document document, bool usable);
    Document known_or_wait(const std::string& url, Usable usable, Waiter waiting);

    const outgoing::AllowedHosts allowed_;
    std::mutex mutex_;
    std::map<std::string, CachedDocument> asked_;
    asio::thread_pool threads_{4};
};

}  // namespace svc::auth
