// The client of tool servers: it learns which protocol each speaks and which tools it has, and
// calls them. Sources: the specifications of the Model Context Protocol of 2025-03-26, 2025-06-18
// and 2026-07-28.
#pragma once

#include <boost/asio/steady_timer.hpp>
#include <chrono>
#include <map>
#include <memory>

#include "connector/tool/rpc.hpp"
#include "connector/tool/tool.hpp"

namespace svc::connector {

struct Listing {
    std::vector<Tool> tools;
    std::string problem;  // why there are none; without any secret
    bool retryable = false;

    const Tool* find(std::string_view name) const;
};
using ListingPtr = std::shared_ptr<const Listing>;

// The tool servers that one thread uses. Listings are cached for a minute.
class Tools {
  public:
    explicit Tools(const CallContext& in) : in_(in) {}

    // Never null. Takes no longer than one call may, however many pages the server has.
    Task<ListingPtr> list(const Server& server, const Credentials& credentials);
    struct Call {
        const Server& server;
        const Tool& tool;
        const json::Value& arguments;  // an object
        unsigned seconds = 0;          // that it may take; 0: 30
    };
    Task<Outcome> call(const Call& call, const Credentials& credentials);

  private:
    using Clock = std::chrono::steady_clock;
    enum class Protocol : std::uint8_t { unknown, session, stateless };
    struct State {
        Protocol protocol = Protocol::unknown;
        std::string version, mcp_session;
        ListingPtr listing = std::make_shared<Listing>(
            Listing{{}, "The tools of this server were not listed.", true});
        Clock::time_point listed_at;
        // Somebody lists the tools: cancelled when they are there. Null: nobody does.
        std::shared_ptr<asio::steady_timer> under_way;
    };
    using StatePtr = std::shared_ptr<State>;
    // The server, and until when all that is asked of it may take.
    struct Peer {
        const Server& server;
        const Credentials& credentials;
        const Clock::time_point until;
    };

    // A problem in words, or empty.
    Task<Reply> negotiate(const Peer& peer, StatePtr state);
    Task<Reply> initialize(const Peer& peer, StatePtr state);
    // Asks in the protocol version of the server, and asks once more if its session has ended.
    Task<Reply> ask(const Peer& peer, StatePtr state, Message message);
    // Sends one message, if there is time left for it.
    Task<Reply> tell(const Peer& peer, Message message);
    Task<ListingPtr> read_listing(const Peer& peer, StatePtr state);
    Task<> list_now(const Peer& peer, StatePtr state);
    // False: the database did not answer.
    Task<bool> check_pins(const Server& server, Listing& listing);

    const CallContext& in_;
    std::map<std::string, StatePtr, std::less<>> states_;  // by server
};

}  // namespace svc::connector
