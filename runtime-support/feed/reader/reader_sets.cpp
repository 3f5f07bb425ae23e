#include "feed/reader/reader_sets.hpp"

#include <algorithm>

namespace svc::feed {
namespace {

bool decides(const Entity& entity, const Entity& above) {
    return std::ranges::any_of(entity.looks, [&above](const Look& look) {
        return look.column != Look::kAnyRow &&
               (look.target == &above || decides(*look.target, above));
    });
}

}  // namespace

bool may_ask(const Entity& entity, const Viewer& viewer) {
    return viewer.is(entity.read_asks) ||
           std::ranges::any_of(entity.looks, [&viewer](const Look& look) {
               return look.column != Look::kAnyRow && may_ask(*look.target, viewer);
           });
}

ReaderSets::ReaderSets(const App& app, const ReadersOf& readers, const ReaderSets* before)
    : app_(app) {
    for (const Entity* entity : app.entities) {
        Readers own = readers(*entity);
        if (!own.empty()) readers_.emplace(entity, std::move(own));
    }
    for (const Entity* entity : app.entities) add_set(*entity, before);
    for (const auto& [entity, set] : reader_sets_)
        for (const Lookers& lookers : set->lookers())
            if (!lookers.all().empty()) lookers_[lookers.look().target].push_back(&lookers);
    for (const Entity* entity : app.entities)
        if (of(*entity) || !lookers(*entity).empty())
            tables_.append(tables_.empty() ? "{" : ",").append(entity->name);
    tables_ += tables_.empty() ? "{}" : "}";
}

// Takes over the set of `before` if nobody has come or gone.
void ReaderSets::add_set(const Entity& entity, const ReaderSets* before) {
    const Readers& own = readers(entity);
    Readers decided = decided_by(entity);
    if (own.empty() && decided.empty()) return;
    std::shared_ptr<const ReaderSet>& set = reader_sets_[&entity];
    if (before) {
        const auto known = before->reader_sets_.find(&entity);
        if (known != before->reader_sets_.end()) set = known->second;
    }
    if (!set || set->readers() != own || set->decided() != decided)
        set = std::make_shared<const ReaderSet>(entity, own, std::move(decided));
}

const Readers& ReaderSets::readers(const Entity& entity) const {
    static const Readers kNobodyReads;
    const auto found = readers_.find(&entity);
    return found == readers_.end() ? kNobodyReads : found->second;
}

const ReaderSet* ReaderSets::of(const Entity& entity) const {
    const auto found = reader_sets_.find(&entity);
    return found == reader_sets_.end() ? nullptr : found->second.get();
}

const std::vector<const Lookers*>& ReaderSets::lookers(const Entity& entity) const {
    static const std::vector<const Lookers*> kNobodyLooks;
    const auto found = lookers_.find(&entity);
    return found == lookers_.end() ? kNobodyLooks : found->second;
}

// Readers of tables whose rows are judged by rows of this one, over any number of steps.
Readers ReaderSets::decided_by(const Entity& entity) const {
    Readers out;
    for (const Entity* other : app_.entities)
        if (decides(*other, entity)) std::ranges::copy(readers(*other), std::back_inserter(out));
    return out;
}

}  // namespace svc::feed
