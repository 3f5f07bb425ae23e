#include "feed/reader/lookers.hpp"

#include "feed/viewer.hpp"

namespace svc::feed {

Lookers::Lookers(const Look& look, const Readers& readers) : look_(look) {
    for (const ReaderPtr& reader : readers) {
        const Viewer viewer = viewer_of(reader->who->caller);
        if (look.who != kEveryone && !viewer.is(look.who)) continue;
        all_.push_back(reader);
        if (look.key == Look::kNoKey) continue;
        const Text value = value_of(viewer, look.of);
        if (!is_null(value)) by_value_[std::string(*value)].push_back(reader);
    }
}

const Readers& Lookers::with(std::string_view value) const {
    static const Readers kNobodyHasIt;
    const auto found = by_value_.find(std::string(value));
    return found == by_value_.end() ? kNobodyHasIt : found->second;
}

}  // namespace svc::feed
