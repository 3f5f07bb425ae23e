#include "check/rows.hpp"

#include <algorithm>
#include <iterator>
#include <utility>

namespace svc::check {
namespace {

using model::Entity;
using model::Model;
using plan::Operation;
using plan::PrincipalBits;

KnownCaller persona_caller(const Model& model, const model::Persona& persona) {
    const bool staff = persona.kind == model::PersonaKind::staff;
    KnownCaller known{
        {persona.id, staff ? Caller::Kind::staff : Caller::Kind::consumer, {}, {}}, 0, {}};
    known.caller.extends.assign(persona.acts_as.begin() + 1, persona.acts_as.end());
    known.bits = plan::all_bits(model, persona);
    known.user = {true, !model.org_roles.empty(), persona.id};
    return known;
}

// Somebody who acts in an organisation: their persona and their role together.
KnownCaller member(const KnownCaller& persona, const std::string& role, PrincipalBits bits) {
    KnownCaller known = persona;
    known.caller.name += " as org:" + role;
    known.caller.kind = Caller::Kind::member;
    known.caller.persona = persona.caller.name;
    known.caller.extends.insert(known.caller.extends.begin(), persona.caller.name);
    known.caller.extends.push_back("org:" + role);
    known.bits |= bits;
    return known;
}

std::string walked(std::string field) {
    if (field.ends_with("_id")) field.resize(field.size() - 3);
    return field;
}

bool names_column(const Entity& entity, const model::Grant& grant, const std::string& column) {
    return std::any_of(grant.fields.begin(), grant.fields.end(),
                       [&](std::size_t field) { return entity.fields[field].name == column; });
}

}  // namespace

std::vector<KnownCaller> callers(const Model& model) {
    using Kind = model::Principal::Kind;
    const auto one = [&](Kind kind, const std::string& name) {
        return plan::bits(model, model::Principal{kind, name});
    };
    std::vector<KnownCaller> out;
    out.push_back(
        {{"guest", Caller::Kind::guest, {}, {}}, one(Kind::guest, ""), {false, false, {}}});
    std::vector<KnownCaller> members;
    for (const model::Persona& persona : model.personas) {
        out.push_back(persona_caller(model, persona));
        for (const std::string& role : model.org_roles) {
            members.push_back(member(out.back(), role, one(Kind::org_role, role)));
        }
    }
    // The rows that the role alone gives, whatever the member's persona is.
    for (const std::string& role : model.org_roles) {
        out.push_back({{"org:" + role, Caller::Kind::org_role, {}, {}},
                       one(Kind::org_role, role) | one(Kind::signed_in, ""),
                       {true, true, {}}});
    }
    std::move(members.begin(), members.end(), std::back_inserter(out));
    out.push_back({{"server", Caller::Kind::server, {}, {}}, plan::kServerBit, {false, true, {}}});
    return out;
}

Formula Rows::granted(const std::vector<model::Grant>& grants, const std::string& prefix) const {
    Formula out = always(false);
    for (const model::Grant& grant : grants) {
        if (is_meant(plan::bits(model_, grant.to)))
            out = either(out, holds(grant.condition, prefix));
    }
    return out;
}

Formula Rows::parent(const Entity& entity, Operation operation, const std::string& prefix) const {
    const model::Field& link = entity.fields[*entity.access.same_as];
    const Entity& above = model_.entities[link.ref_entity];
    const Operation needed = operation == Operation::read ? Operation::read : Operation::update;
    Formula out = reached(above, needed, prefix + walked(link.name) + ".");
    if (link.required || out.is_no()) return out;
    const std::string name = prefix + link.name;
    return both(
        opposite(test({name + " == null", name + " != null", Atom::Is::null, name, {}, {}, false})),
        out);
}

Formula Rows::allowed(const Entity& entity, Operation operation, const std::string& prefix) const {
    Formula out = granted(plan::grants(entity, operation), prefix);
    if (entity.access.same_as) out = either(parent(entity, operation, prefix), out);
    return both(out, opposite(granted(plan::denied(entity.access, operation), prefix)));
}

Formula Rows::changed(const Entity& entity, const std::string& column, const Formula& all) const {
    std::vector<model::Grant> free, denied;
    bool limited = false;
    for (const model::Grant& grant : plan::grants(entity, Operation::update)) {
        limited = limited || !grant.fields.empty();
        if (grant.fields.empty() || names_column(entity, grant, column)) free.push_back(grant);
    }
    for (const model::Grant& denial : plan::denied_fields(entity.access)) {
        if (names_column(entity, denial, column)) denied.push_back(denial);
    }
    Formula out = all;
    if (limited) out = both(out, granted(free, ""));
    if (!denied.empty()) out = both(out, opposite(granted(denied, "")));
    return limited || !denied.empty() ? simplified(out) : out;
}

bool may_send(const Model& model, const model::Field& field, const KnownCaller& known) {
    const bool made = field.computed || field.lifecycle || field.type == model::FieldType::sequence;
    return !made && (!field.write || (plan::persona_bits(model, *field.write) & known.bits) != 0);
}

bool may_see(const Model& model, const model::Field& field, const KnownCaller& known) {
    return !field.read || (plan::persona_bits(model, *field.read) & known.bits) != 0;
}

}  // namespace svc::check
