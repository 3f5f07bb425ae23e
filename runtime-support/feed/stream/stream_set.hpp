// The streams of one io thread. Most streams only wait for an event that concerns them. One timer
// serves all of them.
#pragma once

#include <boost/asio/steady_timer.hpp>
#include <deque>
#include <unordered_map>
#include <vector>

#include "feed/hub/ring.hpp"
#include "feed/stream/handover.hpp"
#include "feed/stream/listener.hpp"
#include "http/concurrency_limit.hpp"
#include "identity/key/key_store.hpp"
#include "identity/user/session_store.hpp"

namespace svc::feed {

// The parts that a set uses; outlives it.
struct StreamContext {
    asio::io_context& io;
    const CursorSealer& cursors;
    const Handover& handover;
    const Judge& judge;
    db::Pool& system;
    const identity::KeyStore& keys;
    identity::SessionStore& sessions;
};

class StreamSet : public EventSink, public std::enable_shared_from_this<StreamSet> {
  public:
    StreamSet(const StreamContext& in, std::shared_ptr<Hub> hub)
        : in_(in),
          hub_(std::move(hub)),
          ring_(kRing),
          timer_(in.io),
          late_timer_(in.io),
          pages_(in.io, kPages) {}

    // Once, before anything else.
    void start();
    // The cursor of the next event: everything that was committed before this call is before it.
    // Null: the database did not answer.
    Task<Cursor> sync();
    std::uint64_t end() const { return ring_.end(); }

    // Streams from now on. `position`, `at`: of a sync() after its readers had entered.
    void begin(ListenerPtr listener, std::unique_ptr<http::Stream> stream, std::uint64_t position,
               Cursor at);

    void take(const Events& events, const Cursor& newest) override;
    void lost(const Cursor& newest) override;

  private:
    static constexpr std::size_t kRing = std::size_t{16} << 20;
    // Streams that are served from the database at the same time. The others wait for their turn,
    // one page each.
    static constexpr unsigned kPages = 8;

    void enter(const ListenerPtr& listener);
    void leave(const ListenerPtr& listener);
    void concern(const Event& event, std::uint64_t position, std::vector<ListenerPtr>& woken);
    void pump(const ListenerPtr& listener);
    void delay(const ListenerPtr& listener);
    void wait_for_turn();
    void serve_late();
    void send_little(const ListenerPtr& listener);
    bool fill(Listener& listener);
    void stick(const ListenerPtr& listener);
    void read_on(const ListenerPtr& listener);
    Task<> read_from_database(ListenerPtr listener);
    // Returns false if the stream has ended or cannot continue.
    Task<bool> read_until(ListenerPtr listener, Cursor until);
    Task<Outgoing::Sent> send_page(ListenerPtr listener, const PageAsked& asked, Cursor until,
                                   const ReaderSets& reader_sets);
    Outgoing::Sent send_events(Listener& listener, const Events& events);
    Task<bool> flush(ListenerPtr listener);
    Task<bool> wait_writable(ListenerPtr listener);
    Task<> wait_for_session(ListenerPtr listener);
    void drain(const ListenerPtr& listener);

    void tick();
    void look_after(const ListenerPtr& listener);
    void ask_again(const std::string& user);
    void ask(const ListenerPtr& listener);
    bool may_have_changed(const Listener& listener) const;
    Task<> go_on_if_allowed(ListenerPtr listener);
    // Ends the stream if it is not valid any more. Returns false if the database did not answer.
    Task<bool> ask_whether_allowed(ListenerPtr listener);

    const StreamContext in_;
    const std::shared_ptr<Hub> hub_;
    Ring ring_;
    Cursor newest_;
    asio::steady_timer timer_;
    asio::steady_timer late_timer_;  // runs while there are `late_`
    std::deque<std::weak_ptr<Listener>> late_;
    http::ConcurrencyLimit pages_;
    std::uint64_t second_ = 0;
    std::string ping_;  // the sealed id of this second's pings
    std::vector<ListenerPtr> listeners_;
    std::unordered_map<std::string, std::vector<Listener*>> by_topic_;
    std::unordered_map<ReaderId, std::vector<Listener*>> by_reader_;
};

// The sets of a thread, one for each hub (feed/hub/hubs.hpp).
struct StreamSets {
    StreamSets(const StreamContext& in, const std::shared_ptr<Hubs>& hubs);
    void start() const;
    const std::shared_ptr<StreamSet>& of(bool asked) const { return asked ? asked_ : at_once_; }

  private:
    std::shared_ptr<StreamSet> at_once_, asked_;
};

}  // namespace svc::feed
