#include "feed/reader/reader_set.hpp"

#include <algorithm>

#include "feed/viewer.hpp"

namespace svc::feed {
namespace {

constexpr std::uint32_t kNoFilter = ~std::uint32_t{0};

template <class T>
using Known = std::unordered_map<std::string_view, T>;

// The position of what has this key; put in where it is not there.
template <class T>
std::uint32_t position_of(std::vector<const T*>& list, Known<std::uint32_t>& known, const T* one) {
    const auto [at, fresh] = known.emplace(one->key, static_cast<std::uint32_t>(list.size()));
    if (fresh) list.push_back(one);
    return at->second;
}

constexpr auto kByWho = [](const ReaderDecision& a, const ReaderDecision& b) {
    return a.who < b.who;
};

// A decision for one reader counts for more than a decision for its group.
ReaderDecisions merged(const ReaderDecisions& apart, ReaderDecisions of_groups) {
    std::ranges::sort(of_groups, kByWho);
    ReaderDecisions out;
    std::ranges::set_union(apart, of_groups, std::back_inserter(out), kByWho);
    std::erase_if(out, [](const ReaderDecision& one) { return one.decision == ReadDecision::no; });
    return out;
}

}  // namespace

ReaderSet::ReaderSet(const Entity& entity, Readers readers, Readers decided)
    : entity_(entity), readers_(std::move(readers)), decided_(std::move(decided)) {
    Known<std::uint32_t> masks, filters;
    for (std::uint32_t i = 0; i < readers_.size(); ++i) {
        const Reader& reader = *readers_[i];
        ReaderView view{enter(readers_[i]), position_of(masks_, masks, &reader.mask), kNoFilter};
        if (reader.filter) view.filter = position_of(filters_, filters, reader.filter.get());
        views_.push_back(view);
        readers_of_[view.who].push_back(i);
    }
    for (std::uint32_t i = 0; i < decided_.size(); ++i)
        decided_of_[enter(decided_[i])].push_back(i);
    for (const Identity* identity : identities_) viewers_.push_back(viewer_of(identity->caller));
    for (std::uint32_t who = 0; who < viewers_.size(); ++who) assign_group(who);
    for (const Look& look : entity_.looks)
        if (look.column == Look::kAnyRow) lookers_.emplace_back(look, readers_);
}

std::optional<std::uint32_t> ReaderSet::number_of(const Identity& identity) const {
    const auto found = numbers_.find(identity.key);
    return found == numbers_.end() ? std::nullopt : std::optional(found->second);
}

std::uint32_t ReaderSet::enter(const ReaderPtr& reader) {
    const std::uint32_t who = position_of(identities_, numbers_, reader->who.get());
    readers_of_.resize(identities_.size());
    decided_of_.resize(identities_.size());
    return who;
}

void ReaderSet::assign_group(std::uint32_t who) {
    const PrincipalSet principals = viewers_[who].principals;
    if (!entity_.access.reads(principals)) return;
    const bool varies = entity_.may_read && (principals & entity_.read_varies) != 0;
    if (varies || principals == 0) {
        each_.push_back(who);
        return;
    }
    auto group = std::ranges::find(groups_, principals,
                                   [](const Group& one) { return one.blank.principals; });
    if (group == groups_.end()) {
        group = groups_.emplace(groups_.end());
        group->blank.principals = principals;
    }
    group->members.push_back(who);
    index(who);
}

void ReaderSet::index(std::uint32_t who) {
    for (const ReadKey& key : entity_.read_keys) {
        const Text value = value_of(viewers_[who], key.of);
        if (!viewers_[who].is(key.who) || is_null(value)) continue;
        auto index = std::ranges::find_if(indexes_, [&](const Index& one) {
            return one.column == key.column && one.of == key.of;
        });
        if (index == indexes_.end()) index = indexes_.insert(index, Index{key.column, key.of, {}});
        index->by_value[*value].push_back(who);
    }
}

// The readers who may get another decision than others with the same principals.
std::vector<std::uint32_t> ReaderSet::apart(const Record& row) const {
    std::vector<std::uint32_t> out = each_;
    for (const Index& index : indexes_) {
        const Text value = row.text(index.column);
        if (is_null(value)) continue;
        const auto found = index.by_value.find(*value);
        if (found != index.by_value.end())
            out.insert(out.end(), found->second.begin(), found->second.end());
    }
    std::ranges::sort(out);
    out.erase(std::unique(out.begin(), out.end()), out.end());
    return out;
}

ReaderDecisions ReaderSet::judge(const Record& row, Maybe<Moment> now, Maybe<Day> today) const {
    const auto decide = [&](Viewer viewer) {
        viewer.now = now;
        viewer.today = today;
        return entity_.may_read ? entity_.may_read(row, viewer) : ReadDecision::ask;
    };
    ReaderDecisions of_groups, apart_ones;
    for (const Group& group : groups_) {
        const ReadDecision decision = decide(group.blank);
        if (decision == ReadDecision::no) continue;
        for (const std::uint32_t who : group.members) of_groups.push_back({who, decision});
    }
    for (const std::uint32_t who : apart(row)) apart_ones.push_back({who, decide(viewers_[who])});
    return merged(apart_ones, std::move(of_groups));
}

}  // namespace svc::feed
