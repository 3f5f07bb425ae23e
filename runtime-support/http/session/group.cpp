#include "http/session/group.hpp"

#include <sys/resource.h>

#include <algorithm>
#include <ctime>

#include "http/request/proxy.hpp"
#include "http/session/session.hpp"
#include "http/stream.hpp"

namespace svc::http {
namespace {

// The other descriptors are for files and databases.
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

void SessionGroup::add(HttpSession& session) {
    session.index = sessions_.size();
    sessions_.push_back(&session);
    count(session.network());
}

void SessionGroup::remove(HttpSession& session) {
    sessions_[session.index] = sessions_.back();
    sessions_[session.index]->index = session.index;
    sessions_.pop_back();
    uncount(session.network());
    if (draining_) finish_when_empty();
}

void SessionGroup::add(Stream& stream, const std::string& network) {
    stream.index = streams_.size();
    streams_.push_back(&stream);
    count(network);
}

void SessionGroup::remove(Stream& stream, const std::string& network) {
    streams_[stream.index] = streams_.back();
    streams_[stream.index]->index = stream.index;
    streams_.pop_back();
    uncount(network);
    if (draining_) finish_when_empty();
}

void SessionGroup::count(const std::string& network) {
    if (!network.empty()) ++counts_[network];
}

void SessionGroup::uncount(const std::string& network) {
    const auto count = counts_.find(network);
    if (count != counts_.end() && --count->second == 0) counts_.erase(count);
}

std::string SessionGroup::counted(const std::string& peer) const {
    if (peer.empty() || trusts(peer, limits.trusted_proxies)) return {};
    return counted_network(peer);
}

bool SessionGroup::has_room(const std::string& network) {
    const auto count = counts_.find(network);
    if (count != counts_.end() && count->second >= limits.connections_an_address)
        return end_idle(network);
    return size() < limits.connections || end_idle();
}

bool SessionGroup::end_idle(const std::string& network) {
    HttpSession* longest = nullptr;
    for (HttpSession* session : sessions_) {
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
    for (HttpSession* session : sessions_) session->check_deadline();
}

void SessionGroup::drain(bool hand_idle, std::function<void()> done) {
    if (draining_) return;
    draining_ = true;
    hand_idle_ = hand_idle;
    done_ = std::move(done);
    for (HttpSession* session : sessions_) session->nudge();
    // A stream may leave the list during this call.
    for (Stream* stream : std::vector<Stream*>(streams_)) stream->drain();
    finish_when_empty();
}

void SessionGroup::end_streams() {
    for (Stream* stream : std::vector<Stream*>(streams_)) stream->end();
}

void SessionGroup::abandon() {
    abandoned_ = true;
    done_ = nullptr;
    for (HttpSession* session : sessions_) session->abort();
    for (Stream* stream : streams_) stream->close();
}

void SessionGroup::finish_when_empty() {
    if (size() != 0 || !done_) return;
    // Posted: the last session is still on the stack.
    asio::post(io, std::exchange(done_, nullptr));
}

}  // namespace svc::http
