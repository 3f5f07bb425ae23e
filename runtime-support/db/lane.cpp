#include "db/lane.hpp"

#include <algorithm>

#include "base/sql_state.hpp"

namespace svc::db {

namespace {

using namespace std::chrono_literals;

constexpr auto kFirstBackOff = 20ms;
constexpr auto kLastBackOff = 1000ms;
// The time that an exchange waits for a database that cannot be reached: longer than a restart.
constexpr auto kPatience = 2s;
// Slow exchanges in the queue. A server of the author's may ask for many sorted lists at once, and
// who runs least is next; the queue itself has room for a good many such parties.
constexpr std::ptrdiff_t kMostOfCaller = 256;
constexpr std::ptrdiff_t kMostOfAddress = 512;

}  // namespace

Lane::~Lane() {
    for (auto& connection : connections_) connection->abandon();
    if (connecting_) connecting_->cancel();
}

void Lane::submit(RequestPtr request) {
    waiting_.push_back(std::move(request));
    pump();
}

void Lane::again(RequestPtr request) { submit(std::move(request)); }

void Lane::pump() {
    if (settings_.patience.count() != 0) return pump_one_each();
    while (!waiting_.empty()) {
        const unsigned weight = waiting_.front()->weight;
        Connection* connection = choose(weight);
        if (connection == nullptr || connection->load() + weight > settings_.full ||
            connection->stalled()) {
            grow();
        }
        // A fresh connection comes in a moment: better than to wait behind a lock.
        if (connection != nullptr && connection->stalled() && connecting_ && !refused_) return;
        if (connection == nullptr) return;
        RequestPtr request = std::move(waiting_.front());
        waiting_.pop_front();
        connection->send(std::move(request));
    }
}

void Lane::pump_one_each() {
    for (auto at = next(); at != waiting_.end(); at = next()) {
        Connection* connection = idle();
        if (connection == nullptr) {
            grow();
            break;
        }
        RequestPtr request = std::move(*at);
        waiting_.erase(at);
        connection->send(std::move(request));
    }
    watch();
}

// The request whose caller has the fewest running statements; among several, the one that waits
// longest.
std::deque<RequestPtr>::iterator Lane::next() {
    auto best = waiting_.end();
    std::size_t least = settings_.connections + 1;
    for (auto at = waiting_.begin(); at != waiting_.end() && least > 0; ++at) {
        if (has_its_share(**at)) continue;
        const std::size_t runs = running((*at)->party, &Party::caller);
        if (runs >= least) continue;
        least = runs;
        best = at;
    }
    return best;
}

std::size_t Lane::running(const Party& party, std::size_t Party::*part) const {
    if (party.*part == 0) return 0;
    return static_cast<std::size_t>(
        std::ranges::count_if(connections_, [&](const auto& connection) {
            return connection->load() > 0 && connection->party().*part == party.*part;
        }));
}

bool Lane::has_its_share(const Party& party) const {
    const std::size_t all = settings_.connections;
    return running(party, &Party::caller) >= std::max<std::size_t>(all / 2, 1) ||
           running(party, &Party::address) >= std::max<std::size_t>(all - 1, 1);
}

bool Lane::holds_enough(const Party& party) const {
    const auto waits = [this, &party](std::size_t Party::*part) {
        if (party.*part == 0) return std::ptrdiff_t{0};
        return std::ranges::count_if(waiting_, [&](const RequestPtr& request) {
            return request->party.*part == party.*part;
        });
    };
    return waits(&Party::caller) >= kMostOfCaller || waits(&Party::address) >= kMostOfAddress;
}

void Lane::give_up(std::uint64_t ticket) {
    const auto is_it = [ticket](const RequestPtr& request) { return request->ticket == ticket; };
    const auto waiting = std::ranges::find_if(waiting_, is_it);
    if (waiting != waiting_.end()) {
        std::vector<RequestPtr> left;
        left.push_back(std::move(*waiting));
        waiting_.erase(waiting);
        return refuse(std::move(left), base::sqlstate::kCanceled,
                      "The caller closed the connection before the answer was ready.", {});
    }
    for (const auto& connection : connections_) {
        if (connection->ticket() != ticket) continue;
        if (!cancels_) cancels_.emplace(1);
        return connection->cancel(*cancels_);
    }
}

Connection* Lane::idle() const {
    for (const auto& connection : connections_) {
        if (connection->ready() && connection->load() == 0) return connection.get();
    }
    return nullptr;
}

bool Lane::has_its_share(const Request& request) const {
    if (has_its_share(request.party)) return true;
    if (request.share == Share::all) return false;
    // One caller may have half of that half, so that a caller blocks neither its other requests nor
    // those of others.
    const std::size_t caller = request.party.caller;
    std::size_t taken = 0, own = 0;
    for (const auto& connection : connections_) {
        if (!connection->shares()) continue;
        ++taken;
        if (caller != 0 && connection->party().caller == caller) ++own;
    }
    return taken * 2 >= settings_.connections ||
           own >= std::max<std::size_t>(settings_.connections / 4, 1);
}

// The one that waits longest stands first.
void Lane::watch() {
    if (watching_ || waiting_.empty()) return;
    watching_ = true;
    timer_.expires_at(waiting_.front()->since + settings_.patience);
    timer_.async_wait([this](boost::system::error_code error) {
        if (!error) refuse_late();
    });
}

void Lane::refuse_late() {
    watching_ = false;
    std::vector<RequestPtr> late;
    while (!waiting_.empty() && waiting_.front()->since + settings_.patience <= Clock::now()) {
        late.push_back(std::move(waiting_.front()));
        waiting_.pop_front();
    }
    watch();
    refuse(std::move(late), base::sqlstate::kTooManyConnections, kTooMuchWords, {});
}

void Lane::refuse(std::vector<RequestPtr> requests, std::string_view sqlstate,
                  std::string_view message, const std::string& detail) {
    for (RequestPtr& request : requests) {
        --count_;
        request->outcome.make_error().sqlstate = sqlstate;
        request->outcome.make_error().message = message;
        request->outcome.make_error().detail = detail;
        request->resume(std::move(request->outcome));
    }
}

// Few connections that are well used beat many: batching is what makes the pipeline fast. So the
// first with room takes it; where all are full, the one with the least in flight. One that stalls
// is passed by.
Connection* Lane::choose(unsigned weight) const {
    Connection* best = nullptr;
    bool best_stalled = false;
    for (const auto& connection : connections_) {
        if (!connection->ready()) continue;
        const bool stalled = connection->stalled();
        if (!stalled && connection->load() + weight <= settings_.full) return connection.get();
        const bool better = best == nullptr || (best_stalled && !stalled) ||
                            (best_stalled == stalled && connection->load() < best->load());
        if (!better) continue;
        best = connection.get();
        best_stalled = stalled;
    }
    return best;
}

void Lane::grow() {
    if (connecting_ || connections_.size() >= settings_.connections) return;
    connecting_ = std::make_shared<Connector>(
        io_, [this](PGconn* conn, std::string words) { connected(conn, std::move(words)); });
    connecting_->start(settings_.url, back_off_);
}

void Lane::connected(PGconn* conn, std::string words) {
    connecting_.reset();
    if (conn == nullptr) {
        back_off_ = std::clamp<Clock::duration>(back_off_ * 2, kFirstBackOff, kLastBackOff);
        return fail_to_connect(words);
    }
    back_off_ = {};
    refused_ = false;
    connections_.push_back(std::make_shared<Connection>(io_, conn, *this));
    connections_.back()->start();
    close_idle_later();
    pump();
}

// PostgreSQL has a few hundred connections for the servers of all apps.
void Lane::close_idle_later() {
    if (looks_for_idle_ || connections_.size() < 2) return;
    looks_for_idle_ = true;
    idle_timer_.expires_after(settings_.idle);
    idle_timer_.async_wait([this](boost::system::error_code error) {
        if (!error) close_idle();
    });
}

void Lane::close_idle() {
    looks_for_idle_ = false;
    const auto then = Clock::now() - settings_.idle;
    std::vector<std::shared_ptr<Connection>> idle;
    for (const auto& connection : connections_) {
        if (connection != connections_.front() && connection->idle_since(then))
            idle.push_back(connection);
    }
    // A connection that is closed makes the lane send what waits, perhaps on another of these.
    for (const auto& connection : idle)
        if (connection->idle_since(then)) connection->retire();
    close_idle_later();
}

// Answers those that have waited long enough; the others wait for the next attempt.
void Lane::fail_to_connect(const std::string& words) {
    refused_ = true;
    if (!connections_.empty()) return pump();  // with those there are
    std::vector<RequestPtr> tired;
    std::deque<RequestPtr> patient;
    const auto now = Clock::now();
    for (RequestPtr& request : waiting_) {
        if (request->impatient || now - request->since >= kPatience) {
            tired.push_back(std::move(request));
        } else {
            patient.push_back(std::move(request));
        }
    }
    waiting_ = std::move(patient);
    if (!waiting_.empty()) grow();
    refuse(std::move(tired), base::sqlstate::kConnectionRefused, "The database cannot be reached.",
           words);
}

void Lane::closed(Connection& connection) {
    std::erase_if(connections_, [&](const auto& ours) { return ours.get() == &connection; });
    // A server that closes each connection at once (57P03, no slots left) is not asked in a loop.
    back_off_ = std::max<Clock::duration>(back_off_, kFirstBackOff);
    pump();
}

}  // namespace svc::db
