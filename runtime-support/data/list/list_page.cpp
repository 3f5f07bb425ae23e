#include "data/list/list_page.hpp"

namespace svc::data::list {

void ListPage::row(const Row& row) {
    more_ = ended_;
    envelope_.row(row);
    if (!list_.by_cursor || ended_ || !envelope_.full()) return;
    ended_ = true;
    auto extra = static_cast<int>(entity_.columns.size());
    for (const SortKey& key : list_.order) {
        const int column =
            key.own ? static_cast<int>(key.column - entity_.columns.data()) : extra++;
        if (row.null(column)) {
            last_.emplace_back();
        } else {
            last_.emplace_back(row.text(column));
        }
    }
}

std::optional<Error> ListPage::finish(const Cursors& cursors) {
    if (!list_.by_cursor) {
        envelope_.finish();
        return {};
    }
    const std::string next = more_ ? cursors.make(list_.identity, last_) : "";
    if (next.size() > Cursors::kMaxBytes) {
        return bad_params(
            "The sorted fields of the last row on this page are too long for a cursor. Sort by a "
            "shorter field, or use offset.");
    }
    envelope_.finish_page(next);
    return {};
}

}  // namespace svc::data::list
