#include "operate/tail/tail.hpp"

#include <algorithm>
#include <ctime>

#include "operate/tail/event_tail.hpp"
#include "operate/tail/log_tail.hpp"
#include "operate/tail/request_tail.hpp"
#include "operate/tail/run_tail.hpp"
#include "ops/request_ring.hpp"

namespace svc::devapi {
namespace {

constexpr std::int64_t kSecond = 1'000'000;

// If the request names a place, the tail begins after it.
template <class Source, class... From>
std::unique_ptr<TailSource> open_as(const TailRequest& wanted, const From&... from) {
    if (wanted.after) return std::make_unique<Source>(from..., *wanted.after);
    return std::make_unique<Source>(from..., wanted.since);
}

}  // namespace

std::unique_ptr<TailSource> open_tail(const TailRequest& wanted) {
    switch (wanted.kind) {
        case TailKind::events:
            return open_as<EventTail>(wanted, wanted.database, wanted.topics);
        case TailKind::requests:
            return open_as<RequestTail>(wanted, wanted.traces.requests, wanted.database);
        case TailKind::errors:
            return open_as<ErrorTail>(wanted, wanted.traces.log);
        case TailKind::runs:
            break;
    }
    return open_as<RunTail>(wanted, wanted.database, wanted.workflow);
}

std::int64_t since_of(const std::string& text) {
    const std::int64_t now = ops::RequestRing::now();
    if (text.empty()) return now - 86400 * kSecond;
    const std::size_t digits = std::min(text.find_first_not_of("0123456789"), text.size());
    if (digits > 0 && digits < 7 && digits + 1 == text.size()) {
        const std::int64_t count = std::stoll(text.substr(0, digits));
        const std::int64_t unit = text.back() == 's'   ? 1
                                  : text.back() == 'm' ? 60
                                  : text.back() == 'h' ? 3600
                                  : text.back() == 'd' ? 86400
                                                       : 0;
        return unit == 0 ? -1 : std::max<std::int64_t>(0, now - count * unit * kSecond);
    }
    std::tm utc{};
    const char* rest = ::strptime(text.c_str(), "%Y-%m-%dT%H:%M:%S", &utc);
    if (!rest) return -1;
    if (*rest == '.')
        for (++rest; *rest >= '0' && *rest <= '9';) ++rest;
    return std::string_view(rest) == "Z" ? std::max<std::int64_t>(0, ::timegm(&utc) * kSecond) : -1;
}

}  // namespace svc::devapi
