// The readers of a table, and whether its compiled policy lets each of them read a row. The values
// of the row (Entity::read_keys) tell whom it concerns: only these readers are judged.
#pragma once

#include <optional>
#include <unordered_map>

#include "feed/reader/lookers.hpp"
#include "svc/predicate.hpp"

namespace svc::feed {

// The decision of the policy for the identity with this number.
struct ReaderDecision {
    std::uint32_t who;
    ReadDecision decision;
    // The reader could read the row because of a row above that no longer exists.
    bool past = false;
    bool shown() const { return past || decision == ReadDecision::yes; }
};
using ReaderDecisions = std::vector<ReaderDecision>;  // by who, each once

// How a reader reads. `filter`: an index; past the last one: no filter.
struct ReaderView {
    std::uint32_t who, mask, filter;
};

// The readers of one table, unchanged until one joins or leaves. From any thread.
class ReaderSet {
  public:
    // `decided`: readers of other tables whose rows are judged by rows of this one.
    ReaderSet(const Entity& entity, Readers readers, Readers decided);
    ReaderSet(const ReaderSet&) = delete;
    ReaderSet& operator=(const ReaderSet&) = delete;

    const Entity& entity() const { return entity_; }
    const Readers& readers() const { return readers_; }
    const Readers& decided() const { return decided_; }
    const std::vector<const Mask*>& masks() const { return masks_; }
    const std::vector<const Filter*>& filters() const { return filters_; }
    const ReaderView& view(std::size_t reader) const { return views_[reader]; }
    const Identity& identity(std::uint32_t who) const { return *identities_[who]; }
    // The number in this set of an identity of another set. Nothing if it reads nothing of this
    // table.
    std::optional<std::uint32_t> number_of(const Identity& identity) const;
    // One for each table that the policy looks at; none of decided().
    const std::vector<Lookers>& lookers() const { return lookers_; }

    // Readers of an identity, as positions in readers(), and in decided().
    using Positions = std::vector<std::uint32_t>;
    const Positions& readers_of(std::uint32_t who) const { return readers_of_[who]; }
    const Positions& decided_of(std::uint32_t who) const { return decided_of_[who]; }

    // The decisions for this row, without readers who may not read it.
    ReaderDecisions judge(const Record& row, Maybe<Moment> now, Maybe<Day> today) const;

  private:
    // Callers of the same principals, to whom the policy says the same where no key of theirs
    // equals.
    struct Group {
        Viewer blank;
        std::vector<std::uint32_t> members;
    };
    struct Index {
        std::uint16_t column;
        ReadKey::Of of;
        std::unordered_map<std::string_view, std::vector<std::uint32_t>> by_value;
    };
    std::uint32_t enter(const ReaderPtr& reader);
    void assign_group(std::uint32_t who);
    void index(std::uint32_t who);
    std::vector<std::uint32_t> apart(const Record& row) const;

    const Entity& entity_;
    const Readers readers_, decided_;
    std::vector<ReaderView> views_;  // by reader
    std::vector<const Mask*> masks_;
    std::vector<const Filter*> filters_;
    std::vector<const Identity*> identities_;
    std::unordered_map<std::string_view, std::uint32_t> numbers_;  // by their keys
    std::vector<Viewer> viewers_;                                  // the same
    std::vector<Positions> readers_of_, decided_of_;
    std::vector<Group> groups_;
    std::vector<Index> indexes_;
    std::vector<std::uint32_t> each_;  // who are judged one by one
    std::vector<Lookers> lookers_;
};

}  // namespace svc::feed
