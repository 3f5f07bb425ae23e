#include "verify/feed/feed_resets.hpp"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "common/json_slice.hpp"

namespace svc::devapi::verification {
namespace {

using plan::ReadKey;
using plan::ReadLook;

// The change is in something that the policy reads there.
bool matters(const ReadLook& look, const FeedChange& change) {
    if (change.before.empty()) return look.made;
    if (change.after.empty()) return true;
    return std::ranges::any_of(look.columns, [&](const std::string& column) {
        return json_member(change.before, column) != json_member(change.after, column);
    });
}

const std::string& value_of(const VerifyCaller& caller, ReadKey::Of of) {
    if (of == ReadKey::Of::id) return caller.id;
    return of == ReadKey::Of::org ? caller.org : caller.email;
}

// The row has this value in the column.
bool has(const std::string& row, const std::string& column, const std::string& value) {
    const auto member = row.empty() ? std::nullopt : json_member(row, column);
    return member && nlohmann::json::parse(*member) == value;
}

bool concerns(const ReadLook& look, const VerifyCaller& caller, const FeedChange& change) {
    if (!matters(look, change)) return false;
    if (!look.key) return true;
    const std::string& value = value_of(caller, look.key->of);
    return !value.empty() && (has(change.before, look.key->column, value) ||
                              has(change.after, look.key->column, value));
}

}  // namespace

plan::PrincipalBits bits_of(const model::Model& model, const VerifyCaller& caller) {
    using Kind = model::Principal::Kind;
    std::vector<model::Principal> all;
    for (const Kind kind :
         {Kind::guest, Kind::signed_in, Kind::consumer, Kind::staff, Kind::server})
        all.push_back({kind, ""});
    for (const model::Persona& persona : model.personas) all.push_back({Kind::persona, persona.id});
    for (const std::string& role : model.org_roles) all.push_back({Kind::org_role, role});
    plan::PrincipalBits out = 0;
    for (const model::Principal& one : all)
        if (caller.is(one)) out |= plan::bits(model, one);
    return out;
}

FeedResets::FeedResets(const model::Model& model, std::size_t listened, std::size_t changed)
    : model_(model), looks_(plan::read_looks(model, model.entities[listened])) {
    std::erase_if(looks_, [&](const ReadLook& look) { return look.entity != changed; });
    for (std::size_t at = listened; model.entities[at].access.same_as;) {
        at = model.entities[at].fields[*model.entities[at].access.same_as].ref_entity;
        decided_ = decided_ || at == changed;
    }
}

bool FeedResets::may_need(const VerifyCaller& caller, std::optional<std::size_t> place,
                          const std::vector<FeedChange>& made) const {
    const bool moved =
        decided_ && place && std::ranges::any_of(made, [&](const FeedChange& change) {
            return change.saw[*place] != change.sees[*place];
        });
    if (moved) return true;
    const plan::PrincipalBits bits = bits_of(model_, caller);
    return std::ranges::any_of(looks_, [&](const ReadLook& look) {
        return (look.who & bits) != 0 && std::ranges::any_of(made, [&](const FeedChange& change) {
                   return concerns(look, caller, change);
               });
    });
}

}  // namespace svc::devapi::verification
