#include "apps/process/waiting_room.hpp"

#include <unistd.h>

#include <boost/asio.hpp>
#include <utility>

namespace svc::devapi {
namespace {

constexpr std::size_t kPlaces = 1000;
constexpr auto kPatience = std::chrono::seconds(30);

}  // namespace

WaitingRoom::WaitingRoom(asio::io_context& io, Take refuse)
    : timer_(io), refuse_(std::move(refuse)) {}

WaitingRoom::~WaitingRoom() {
    for (auto& entry : entries_) ::close(entry.connection.fd);
}

void WaitingRoom::add(http::Connection connection) {
    if (entries_.size() >= kPlaces) return refuse_(std::move(connection));
    entries_.push_back({std::move(connection), std::chrono::steady_clock::now() + kPatience});
    if (entries_.size() == 1) watch();
}

void WaitingRoom::empty_into(const Take& take) {
    timer_.cancel();
    for (auto& entry : std::exchange(entries_, {})) take(std::move(entry.connection));
}

void WaitingRoom::watch() {
    if (entries_.empty()) return;
    timer_.expires_at(entries_.front().until);
    // A timer that is destroyed with its room ends its wait with an error.
    timer_.async_wait([this](const boost::system::error_code& error) {
        if (error) return;
        const auto now = std::chrono::steady_clock::now();
        while (!entries_.empty() && entries_.front().until <= now) {
            auto connection = std::move(entries_.front().connection);
            entries_.pop_front();
            refuse_(std::move(connection));
        }
        watch();
    });
}

}  // namespace svc::devapi
