#include "gates/permit.hpp"

#include <algorithm>
#include <condition_variable>
#include <list>
#include <mutex>
#include <utility>

namespace svc::gates {
namespace {

constexpr std::size_t kPlaces = 2;
constexpr std::ptrdiff_t kMostWaiting = 4;  // of one party; each holds a thread of the service

std::mutex turns;
std::condition_variable turned;
std::list<std::string> running, waiting;

bool runs(const std::string& party) {
    return !party.empty() && std::ranges::find(running, party) != running.end();
}

// The first whose party has none running.
std::list<std::string>::const_iterator next() {
    return std::ranges::find_if(std::as_const(waiting),
                                [](const std::string& party) { return !runs(party); });
}

}  // namespace

Permit::Permit(std::string party) : party_(std::move(party)) {
    std::unique_lock lock(turns);
    if (!party_.empty() && std::ranges::count(waiting, party_) >= kMostWaiting) throw QueueFull();
    const auto place = waiting.insert(waiting.end(), party_);
    turned.wait(lock, [&] {
        return running.size() < kPlaces && next() == std::list<std::string>::const_iterator(place);
    });
    waiting.erase(place);
    running.push_back(party_);
    turned.notify_all();
}

Permit::~Permit() {
    const std::lock_guard lock(turns);
    running.erase(std::ranges::find(running, party_));
    turned.notify_all();
}

}  // namespace svc::gates
