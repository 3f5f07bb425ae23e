#include "http/group.hpp"

#include <sys/resource.h>

#include <algorithm>
#include <ctime>

#include "http/proxy.hpp"
#include "http/session.hpp"

namespace svc::http {
namespace {

// What is left is for files and databases.
Limits within_descriptors(Limits limits) {
    rlimit files{};
    if (::getrlimit(RLIMIT_NOFILE, &files) == 0 && files.rlim_cur != RLIM_INFINITY)
        limits.connections = std::min<std::size_t>(limits.connections, files.rlim_cur / 4 * 3);
    return limits;
}

}  // namespace

SessionGroup::SessionGroup(asio::io_context& io, Service& service, Limits limits)
    : io(io), service(service), limits(within_descriptors(std::move(limits))) {
    tick();
}

void SessionGroup::add(Session& session) {
    session.index = sessions_.size();
    sessions_.push_back(&session);
    if (!session.network().empty()) ++counts_[session.network()];
}

void SessionGroup::remove(Session& session) {
    sessions_[session.index] = sessions_.back();
    sessions_[session.index]->index = session.index;
    sessions_.pop_back();
    const auto count = counts_.find(session.network());
    if (count != counts_.end() && --count->second == 0) counts_.erase(count);
    if (draining_) finish_when_empty();
}

std::string SessionGroup::counted(const std::string& peer) const {
    if (peer.empty() || trusts(peer, limits.trusted_proxies)) return {};
    return counted_network(peer);
}

bool SessionGroup::has_room(const std::string& network) {
    const auto count = counts_.find(network);
    if (count != counts_.end() && count->second >= limits.connections_an_address)
        return end_idle(network);
    return sessions_.size() < limits.connections || end_idle();
}

bool SessionGroup::end_idle(const std::string& network) {
    Session* longest = nullptr;
    for (Session* session : sessions_) {
        if (!session->idle_until() || (!network.empty() && session->network() != network)) continue;
        if (!longest || session->idle_until() < longest->idle_until()) longest = session;
    }
    if (longest) longest->expire();
    return longest != nullptr;
}

void SessionGroup::tick() {
    ++now_;
    std::time_t at = std::time(nullptr);
    tm utc{};
    gmtime_r(&at, &utc);
    char text[64];
    date_.assign(text,
                 std::strftime(text, sizeof(text), "Date: %a, %d %b %Y %H:%M:%S GMT\r\n", &utc));
    for (Session* session : sessions_) session->check_deadline();
}

void SessionGroup::drain(bool hand_idle, std::function<void()> done) {
    if (draining_) return;
    draining_ = true;
    hand_idle_ = hand_idle;
    done_ = std::move(done);
    for (Session* session : sessions_) session->nudge();
    finish_when_empty();
}

void SessionGroup::abandon() {
    abandoned_ = true;
    done_ = nullptr;
    for (Session* session : sessions_) session->abort();
}

void SessionGroup::finish_when_empty() {
    if (!sessions_.empty() || !done_) return;
    // Posted: the last session is still on the stack.
    asio::post(io, std::exchange(done_, nullptr));
}

}  // namespace svc::http
