#include "check/exposure/exposure_accounts.hpp"

#include <algorithm>
#include <optional>
#include <utility>

#include "check/exposure/exposure_words.hpp"

namespace svc::check {
namespace {

using model::Model;
using Signup = model::Auth::Signup;

// An invitation to an organisation also creates accounts, with the first offered persona.
Admission admission(const Model& model, const model::Persona& persona, bool first) {
    if (!persona.signup || model.auth.signup == Signup::disabled) return Admission::may_not;
    if (model.auth.signup == Signup::open) return Admission::may;
    return !model.org_roles.empty() && first ? Admission::by_invitation : Admission::may_not;
}

const PersonaExposure* find_persona(const AccountExposure& all, const std::string& name) {
    const auto at = std::find_if(all.personas.begin(), all.personas.end(),
                                 [&](const PersonaExposure& one) { return one.name == name; });
    return at == all.personas.end() ? nullptr : &*at;
}

const SeededAccount* find_seeded(const AccountExposure& all, const std::string& email) {
    const auto at = std::find_if(all.seeded.begin(), all.seeded.end(),
                                 [&](const SeededAccount& one) { return one.email == email; });
    return at == all.seeded.end() ? nullptr : &*at;
}

void add_one(ExposureChange change, std::vector<ExposureChange>& out) {
    change.message = sentence(change, change.caller);
    out.push_back(std::move(change));
}

void compare_signup(const std::string& name, Admission was, Admission is,
                    std::vector<ExposureChange>& out) {
    if (was == is) return;
    ExposureChange change;
    change.direction = was < is ? Direction::widened : Direction::narrowed;
    change.caller = "guest";
    change.entity = name;
    change.operation.act = Act::sign_up;
    change.before = base::word(was);
    change.after = base::word(is);
    add_one(std::move(change), out);
}

// Compares a persona that both contracts have.
void compare_factor(const PersonaExposure& was, const PersonaExposure& is,
                    std::vector<ExposureChange>& out) {
    if (was.second_factor == is.second_factor) return;
    ExposureChange change;
    change.direction = is.second_factor ? Direction::narrowed : Direction::widened;
    change.caller = is.name;
    change.operation.act = Act::second_factor;
    change.before = was.second_factor ? "required" : "not required";
    change.after = is.second_factor ? "required" : "not required";
    add_one(std::move(change), out);
}

std::vector<std::string> rights(const SeededAccount& account) {
    std::vector<std::string> out;
    if (account.staff) out = account.acts_as;
    if (account.admin) out.emplace_back("an administrator");
    std::sort(out.begin(), out.end());
    return out;
}

void compare_seeded(const SeededAccount* was, const SeededAccount& is,
                    std::vector<ExposureChange>& out) {
    const std::vector<std::string> had = was != nullptr ? rights(*was) : std::vector<std::string>{};
    const std::vector<std::string> has = rights(is);
    const bool same = was != nullptr && was->persona == is.persona && was->staff == is.staff &&
                      was->admin == is.admin;
    if (same || had == has) return;  // the change of the persona already shows it
    const bool kept = std::includes(has.begin(), has.end(), had.begin(), had.end());
    const bool within = std::includes(had.begin(), had.end(), has.begin(), has.end());
    ExposureChange change;
    change.direction = kept     ? Direction::widened
                       : within ? Direction::narrowed
                                : Direction::changed;
    change.caller = is.email;
    change.entity = is.persona;
    change.operation.act = Act::seed;
    change.before = was != nullptr ? seeded_text(*was) : "nothing";
    change.after = seeded_text(is);
    add_one(std::move(change), out);
}

}  // namespace

std::string seeded_text(const SeededAccount& account) {
    return account.persona + (account.staff ? " (staff)" : "") +
           (account.admin ? ", administrator" : "");
}

AccountExposure accounts(const Model& model) {
    AccountExposure out;
    bool first = true;
    for (const model::Persona& persona : model.personas) {
        out.personas.push_back(
            {persona.id, admission(model, persona, first), persona.mfa_required});
        first = first && !persona.signup;
    }
    for (const model::SeedUser& user : model.seeds.users) {
        SeededAccount account{user.email, user.persona, {}, user.is_admin, false};
        for (const model::Persona& persona : model.personas) {
            if (persona.id != user.persona) continue;
            account.acts_as = persona.acts_as;
            account.staff = persona.kind == model::PersonaKind::staff;
        }
        out.seeded.push_back(std::move(account));
    }
    return out;
}

void compare_accounts(const AccountExposure& before, const AccountExposure& after,
                      std::vector<ExposureChange>& out) {
    for (const PersonaExposure& is : after.personas) {
        const PersonaExposure* was = find_persona(before, is.name);
        compare_signup(is.name, was != nullptr ? was->signup : Admission::may_not, is.signup, out);
        if (was != nullptr) compare_factor(*was, is, out);
    }
    for (const PersonaExposure& was : before.personas) {
        if (find_persona(after, was.name) != nullptr) continue;
        compare_signup(was.name, was.signup, Admission::may_not, out);
    }
    for (const SeededAccount& is : after.seeded)
        compare_seeded(find_seeded(before, is.email), is, out);
}

}  // namespace svc::check
