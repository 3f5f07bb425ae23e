#include "feed/stream/outgoing.hpp"

#include <algorithm>

namespace svc::feed {

void Outgoing::add_body(EventPtr event, std::string_view body) {
    event_ = std::move(event);
    body_ = body;
    body_at_ = text.size();
}

std::pair<std::string_view, std::string_view> Outgoing::rest() const {
    const std::string_view all = text;
    if (!event_) return {all.substr(sent_), {}};
    if (sent_ < body_at_) return {all.substr(sent_, body_at_ - sent_), body_};
    const std::size_t of_body = sent_ - body_at_;
    if (of_body < body_.size()) return {body_.substr(of_body), all.substr(body_at_)};
    return {all.substr(sent_ - body_.size()), {}};
}

// A string that is assigned an empty one keeps its room; one that is swapped does not.
void Outgoing::clear() {
    std::string().swap(text);
    std::vector<Mark>().swap(marks_);
    event_ = nullptr;
    body_ = {};
    body_at_ = sent_ = 0;
}

std::optional<Place> Outgoing::take_back() {
    const auto last =
        std::ranges::find_if(marks_, [&](const Mark& one) { return one.end >= sent_; });
    std::optional<Place> place;
    if (last != marks_.end()) {
        place = last->place;
        cut(last->end);
    }
    drop_sent();
    std::vector<Mark>().swap(marks_);
    return place;
}

// No mark stands within a body.
void Outgoing::cut(std::size_t end) {
    if (end <= body_at_) {
        event_ = nullptr;
        body_ = {};
    }
    text.resize(end - body_.size());
}

void Outgoing::drop_sent() {
    if (event_ && sent_ >= body_at_ + body_.size()) {
        sent_ -= body_.size();
        event_ = nullptr;
        body_ = {};
    }
    const std::size_t of_text = event_ ? std::min(sent_, body_at_) : sent_;
    body_.remove_prefix(sent_ - of_text);
    body_at_ = event_ ? body_at_ - of_text : 0;
    std::string(text, of_text).swap(text);
    sent_ = 0;
}

}  // namespace svc::feed
