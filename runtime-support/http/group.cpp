#include "http/group.hpp"

#include <ctime>

#include "http/session.hpp"

namespace svc::http {

SessionGroup::SessionGroup(asio::io_context& io, Service& service, Limits limits)
    : io(io), service(service), limits(std::move(limits)) {
    tick();
}

void SessionGroup::add(Session& session) {
    session.index = sessions_.size();
    sessions_.push_back(&session);
}

void SessionGroup::remove(Session& session) {
    sessions_[session.index] = sessions_.back();
    sessions_[session.index]->index = session.index;
    sessions_.pop_back();
    if (draining_) finish_when_empty();
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
