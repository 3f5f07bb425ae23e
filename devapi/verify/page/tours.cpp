#include "verify/page/tours.hpp"

#include <algorithm>

namespace svc::devapi::verification {
namespace {

// The first page of a tour costs as much as two others; long tours are hard to share out to two.
constexpr std::size_t kMostPages = 16;

}  // namespace

Tours::Tours(std::vector<Inspection>& all) {
    for (Inspection& one : all) left_.push_back(&one);
}

Tours::Stage Tours::stage_of(const Inspection& one) const {
    const auto found = routes_.find(one.route);
    return found == routes_.end() ? Stage::unopened : found->second;
}

// A page is opened for the first time by one visitor, and later by any number.
Tours::Tour Tours::taken(Stage stage) {
    Tour out;
    for (Inspection* one : left_) {
        if (out.size() == kMostPages) break;
        const bool theirs = out.empty() || one->session == out[0]->session;
        if (!theirs || stage_of(*one) != stage) continue;
        if (stage == Stage::unopened) routes_[one->route] = Stage::open;
        out.push_back(one);
    }
    for (const Inspection* one : out) routes_[one->route] = Stage::open;
    std::erase_if(left_, [&](const Inspection* one) { return std::ranges::count(out, one) > 0; });
    return out;
}

Tours::Tour Tours::next() {
    std::unique_lock lock(mutex_);
    for (;;) {
        Tour out = taken(Stage::unopened);
        if (out.empty()) out = taken(Stage::opened);
        if (!out.empty() || left_.empty()) return out;
        ended_.wait(lock);
    }
}

void Tours::end(const Tour& tour) {
    const std::lock_guard lock(mutex_);
    for (const Inspection* one : tour) routes_[one->route] = Stage::opened;
    for (const Inspection* late : tour)
        if (late->is_late())
            std::erase_if(left_, [&](const Inspection* one) { return one->route == late->route; });
    ended_.notify_all();
}

}  // namespace svc::devapi::verification
