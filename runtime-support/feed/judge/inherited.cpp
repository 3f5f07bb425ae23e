#include "feed/judge/inherited.hpp"

#include <algorithm>
#include <map>

namespace svc::feed {
namespace {

// The look over which rows of another table decide for these.
const Look* above_of(const Entity& entity) {
    const auto* at = std::ranges::find_if(
        entity.looks, [](const Look& look) { return look.column != Look::kAnyRow; });
    return at == entity.looks.end() ? nullptr : at;
}

// Those above come first.
unsigned depth(const Entity& entity) {
    const Look* above = above_of(entity);
    return above ? depth(*above->target) + 1 : 0;
}

}  // namespace

void inherit(std::deque<JudgedTable>& tables) {
    std::map<const Entity*, JudgedTable*> known;
    std::vector<std::pair<unsigned, JudgedTable*>> order;
    for (JudgedTable& table : tables) {
        known[&table.entity()] = &table;
        order.emplace_back(depth(table.entity()), &table);
    }
    std::ranges::stable_sort(order, {}, &std::pair<unsigned, JudgedTable*>::first);
    for (const auto& [level, table] : order) {
        const Look* above = table->above();
        const auto found = above ? known.find(above->target) : known.end();
        if (found != known.end()) table->inherit(*found->second);
    }
}

const Look* JudgedTable::above() const { return above_of(entity()); }

void JudgedTable::note_above(const Row& row, std::size_t number) {
    const Look* look = above();
    if (!look || row.null(look->column)) return;
    Change& change = changes_[number / 2];
    (number % 2 == 0 ? change.above_before : change.above_after) = row.text(look->column);
}

// The row as it was at this position of the page, or just before its end. Null: it was not deleted
// on the page, so the database still knows it.
const Version* JudgedTable::last_seen(const std::string& id, std::size_t position) const {
    const auto found = changes_of_.find(id);
    if (found == changes_of_.end() || given_up_) return nullptr;
    const auto of = [this](std::size_t number) -> const Change& { return changes_[number]; };
    const std::vector<std::size_t>& all = found->second;
    if (std::ranges::all_of(all, [&](std::size_t one) { return of(one).after.there; }))
        return nullptr;
    const auto next =
        std::ranges::find_if(all, [&](std::size_t one) { return of(one).position > position; });
    if (next == all.begin()) return &of(*next).before;
    const Change& last = of(*std::prev(next));
    return last.after.there ? &last.after : &last.before;
}

// Notes who could read this version of a row by the one above, as that one was.
void Version::inherit(const Version& row, const ReaderSet& own, const ReaderSet& above) {
    for (ReaderDecision& reader : readers) {
        if (reader.decision != ReadDecision::ask) continue;
        const auto who = above.number_of(own.identity(reader.who));
        reader.past = who && row.shows(*who);
    }
}

void JudgedTable::inherit(const JudgedTable& above) {
    if (given_up_) return;
    for (Change& change : changes_) {
        const Version* before = above.last_seen(change.above_before, change.position);
        const Version* after = above.last_seen(change.above_after, change.position);
        if (before) change.before.inherit(*before, reader_set_, above.reader_set_);
        if (after) change.after.inherit(*after, reader_set_, above.reader_set_);
    }
}

bool Version::shows(std::uint32_t who) const {
    const auto at = std::ranges::lower_bound(readers, who, {}, &ReaderDecision::who);
    return at != readers.end() && at->who == who && at->shown();
}

}  // namespace svc::feed
