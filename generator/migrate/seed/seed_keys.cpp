#include "migrate/seed/seed_keys.hpp"

#include <optional>
#include <set>

#include "plan/seed/seeds.hpp"

namespace svc::migrate {
namespace {

bool has_no_key(const std::string& key) { return key.starts_with('#'); }

class SeedMatcher {
  public:
    SeedMatcher(const plan::Plan& plan, const SeedRecords& recorded)
        : plan_(plan), left_(recorded) {}

    SeedRecords run() {
        for (const auto& row : plan_.seed_rows) wanted_.insert({row.entity, row.key});
        for (const auto& row : plan_.seed_rows) by_key(row);
        for (const auto& row : plan_.seed_rows) by_text(row);
        for (const auto& row : plan_.seed_rows) by_place(row);
        keep_others();
        return std::move(out_);
    }

  private:
    void take(const plan::SeedRow& row, SeedRecords::iterator from) {
        out_[{row.entity, row.key}] = std::move(from->second);
        left_.erase(from);
    }

    void by_key(const plan::SeedRow& row) {
        const auto same = left_.find({row.entity, row.key});
        if (same == left_.end()) return;
        if (!has_no_key(row.key) || same->second.hash == row.hash) take(row, same);
    }

    void by_text(const plan::SeedRow& row) {
        if (out_.contains({row.entity, row.key})) return;
        for (auto at = left_.lower_bound({row.entity, ""});
             at != left_.end() && at->first.first == row.entity; ++at) {
            const bool free = has_no_key(at->first.second) || !wanted_.contains(at->first);
            if (free && at->second.hash == row.hash) return take(row, at);
        }
    }

    void by_place(const plan::SeedRow& row) {
        if (out_.contains({row.entity, row.key})) return;
        const auto same = left_.find({row.entity, row.key});
        if (same != left_.end()) take(row, same);
    }

    // A place may be another seed's next time: rows of places that are gone go by their id.
    void keep_others() {
        for (auto& [key, seeded] : left_) {
            const auto& [entity, name] = key;
            const bool place = entity != "@users" && has_no_key(name);
            out_[{entity, place ? "#-" + seeded.id : name}] = seeded;
        }
    }

    const plan::Plan& plan_;
    SeedRecords left_, out_;
    std::set<SeedKey> wanted_;
};

// The row as a contract had it that knew these tables by their former names; none if it refers to
// none of them.
std::optional<plan::SeedRow> with_former_names(const plan::SeedRow& row,
                                               const std::map<std::string, std::string>& renamed) {
    plan::SeedRow former = row;
    bool any = false;
    for (auto& value : former.values) {
        const auto found = renamed.find(value.ref_entity);
        if (found == renamed.end()) continue;
        value.ref_entity = found->second;
        any = true;
    }
    if (!any) return std::nullopt;
    former.hash = plan::seed_hash(former);
    return former;
}

void follow_seed(const plan::SeedRow& former, const plan::SeedRow& row, SeedRecord& recorded) {
    if (recorded.hash == former.hash) recorded.hash = row.hash;
    const FieldHashes was = field_hashes_of(former), now = field_hashes_of(row);
    for (auto& [column, hash] : recorded.field_hashes) {
        const auto known = was.find(column);
        if (known != was.end() && known->second == hash) hash = now.at(column);
    }
}

}  // namespace

void follow_renamed(const plan::Plan& plan, const std::map<std::string, std::string>& renamed,
                    SeedRecords& recorded) {
    for (const plan::SeedRow& row : plan.seed_rows) {
        const auto former = with_former_names(row, renamed);
        if (!former) continue;
        for (auto& [key, one] : recorded) {
            const bool same = key.second == row.key && !has_no_key(row.key);
            if (key.first == row.entity && (same || one.hash == former->hash))
                follow_seed(*former, row, one);
        }
    }
}

SeedRecords match_seeds(const plan::Plan& plan, const SeedRecords& recorded) {
    return SeedMatcher(plan, recorded).run();
}

}  // namespace svc::migrate
