#include "operate/tail/request_tail.hpp"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <pqxx/pqxx>
#include <utility>

#include "base/app_paths.hpp"
#include "base/number.hpp"
#include "base/time/utc.hpp"

namespace svc::devapi {
namespace {

using OrderedJson = nlohmann::ordered_json;

constexpr std::size_t kAllRequests = 1 << 20;  // more than are kept

std::string entry_of(const ops::SeenRequest& seen) {
    const OrderedJson object = {
        {"at", base::utc_millis(seen.at)}, {"kind", "request"},
        {"method", seen.method},           {"path", std::string(base::kApiPath) + seen.path},
        {"status", seen.status},           {"ms", static_cast<double>(seen.took) / 1000}};
    return object.dump(-1, ' ', false, OrderedJson::error_handler_t::replace);
}

constexpr char kBetween = '.';

// The number of the last request. The time of the last call stands after it.
std::uint64_t number_in(std::string_view position) {
    return base::number_of<std::uint64_t>(position.substr(0, position.find(kBetween)));
}

// A place that an older svcd gave has none: calls from now on.
std::int64_t time_in(std::string_view position) {
    const auto between = position.find(kBetween);
    return between == position.npos ? ops::RequestRing::now()
                                    : base::number_of<std::int64_t>(position.substr(between + 1));
}

}  // namespace

RequestTail::RequestTail(std::string file, std::string database, std::int64_t since)
    : file_(std::move(file)),
      since_(since),
      called_at_(since),
      calls_(std::move(database), since) {}

// Entries that were overwritten meanwhile are missing; if the file begins again, all are.
RequestTail::RequestTail(std::string file, std::string database, const TailPlace& after)
    : file_(std::move(file)),
      number_(number_in(after.position)),
      called_at_(time_in(after.position)),
      calls_(std::move(database), called_at_) {
    const auto kept = ops::read_requests(file_, 0, kAllRequests);
    const std::uint64_t last = kept.empty() ? 0 : kept.back().number;
    if (last >= number_ && (kept.empty() || kept.front().number <= number_ + 1)) return;
    reset_ = feed::Reset::cursor_too_old;
    if (last < number_) number_ = 0;
}

std::string RequestTail::place() const {
    return tail_place("requests",
                      {{}, std::to_string(number_) + kBetween + std::to_string(called_at_)});
}

TailLine RequestTail::line_of(const ops::SeenRequest& seen) {
    number_ = std::max(number_, seen.number);
    return {entry_of(seen), place()};
}

TailLine RequestTail::line_of(ConnectorCalls::Call call) {
    called_at_ = std::max(called_at_, call.at);
    return {std::move(call.text), place()};
}

TailLines RequestTail::next() { return after(kAllRequests); }

// While the database is away its requests are of interest above all: its calls come later.
std::vector<ConnectorCalls::Call> RequestTail::calls() try {
    return calls_.next();
} catch (const pqxx::failure&) {
    return {};
}

// Both in order of time. Each place says how far both were read.
TailLines RequestTail::after(std::size_t limit) {
    auto made = calls();
    auto call = made.begin();
    TailLines out;
    for (const auto& seen : ops::read_requests(file_, number_, limit)) {
        for (; call != made.end() && call->at <= seen.at; ++call)
            out.push_back(line_of(std::move(*call)));
        TailLine line = line_of(seen);
        if (seen.at >= since_) out.push_back(std::move(line));
    }
    for (; call != made.end(); ++call) out.push_back(line_of(std::move(*call)));
    if (out.size() > limit) out.erase(out.begin(), out.end() - static_cast<std::ptrdiff_t>(limit));
    return out;
}

}  // namespace svc::devapi
