#include "auth/outside.hpp"

#include "auth/oidc.hpp"
#include "outgoing/off_thread.hpp"

namespace svc::auth {
namespace {

constexpr std::chrono::hours kKept{1};

struct Fetching {
    outgoing::Fetch request;
    outgoing::Fetched operator()() const { return outgoing::fetch(request); }
};

}  // namespace

struct Outside::Known {
    Endpoints endpoints;
    std::chrono::steady_clock::time_point until;
};

Outside::Outside(outgoing::AllowedHosts allowed) : allowed_(std::move(allowed)) {}
Outside::~Outside() = default;

Task<outgoing::Fetched> Outside::fetch(outgoing::Fetch request) {
    request.allowed = allowed_;
    Fetching fetching{std::move(request)};
    co_return co_await outgoing::off_thread(threads_, std::move(fetching));
}

std::optional<Endpoints> Outside::endpoints(const std::string& issuer) const {
    const std::lock_guard lock(mutex_);
    const auto found = known_.find(issuer);
    if (found == known_.end() || found->second.until < std::chrono::steady_clock::now())
        return std::nullopt;
    return found->second.endpoints;
}

void Outside::remember(const std::string& issuer, const Endpoints& endpoints) {
    const std::lock_guard lock(mutex_);
    known_[issuer] = {endpoints, std::chrono::steady_clock::now() + kKept};
}

}  // namespace svc::auth
