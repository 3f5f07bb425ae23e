#include "plan/principals.hpp"

#include <algorithm>

#include "plan/names.hpp"

namespace svc::plan {
namespace {

constexpr unsigned kFirstPersona = 5;

PrincipalBits bit(std::size_t index) { return PrincipalBits{1} << index; }

PrincipalBits persona_bit(const model::Model& model, const std::string& id) {
    for (std::size_t i = 0; i < model.personas.size(); ++i) {
        if (model.personas[i].id == id) return bit(kFirstPersona + i);
    }
    return 0;
}

PrincipalBits org_role_bit(const model::Model& model, const std::string& role) {
    const auto at = std::find(model.org_roles.begin(), model.org_roles.end(), role);
    if (at == model.org_roles.end()) return 0;
    const auto index = static_cast<std::size_t>(at - model.org_roles.begin());
    return bit(kFirstPersona + model.personas.size() + index);
}

}  // namespace

std::string principal_name(const model::Principal& principal) {
    using Kind = model::Principal::Kind;
    switch (principal.kind) {
        case Kind::any:
            return "*";
        case Kind::guest:
            return "guest";
        case Kind::signed_in:
            return "signed_in";
        case Kind::consumer:
            return "consumer";
        case Kind::staff:
            return "staff";
        case Kind::server:
            return "server";
        case Kind::persona:
            return principal.name;
        case Kind::org_role:
            return "org:" + principal.name;
    }
    return {};
}

PrincipalBits bits(const model::Model& model, const model::Principal& principal) {
    using Kind = model::Principal::Kind;
    switch (principal.kind) {
        case Kind::any:
            return ~PrincipalBits{0};
        case Kind::guest:
            return bit(0);
        case Kind::signed_in:
            return bit(1);
        case Kind::consumer:
            return bit(2);
        case Kind::staff:
            return bit(3);
        case Kind::server:
            return kServerBit;
        case Kind::persona:
            return persona_bit(model, principal.name);
        case Kind::org_role:
            return org_role_bit(model, principal.name);
    }
    return 0;
}

PrincipalBits bits(const model::Model& model, const std::vector<model::Grant>& grants) {
    PrincipalBits all = 0;
    for (const model::Grant& grant : grants) all |= bits(model, grant.to);
    return all;
}

PrincipalBits bits(const model::Model& model, const std::vector<model::Principal>& principals) {
    PrincipalBits all = 0;
    for (const model::Principal& principal : principals) all |= bits(model, principal);
    return all;
}

PrincipalBits persona_bits(const model::Model& model, const std::vector<std::string>& ids) {
    PrincipalBits all = kServerBit;
    for (const std::string& id : ids) all |= persona_bit(model, id);
    return all;
}

PrincipalBits all_bits(const model::Model& model, const model::Persona& persona) {
    PrincipalBits all = bit(1) | bit(persona.kind == model::PersonaKind::staff ? 3 : 2);
    for (const std::string& id : persona.acts_as) all |= persona_bit(model, id);
    return all;
}

std::string all_names(const model::Persona& persona) {
    std::string names;
    for (const std::string& id : persona.acts_as) names += id + ",";
    return names + (persona.kind == model::PersonaKind::staff ? "staff" : "consumer") +
           ",signed_in";
}

std::string acts_as(const std::vector<model::Principal>& principals, const std::string& caller) {
    std::vector<std::string> names;
    for (const model::Principal& principal : principals) {
        if (principal.kind == model::Principal::Kind::any) return {};
        const std::string name = literal(principal_name(principal));
        if (std::find(names.begin(), names.end(), name) == names.end()) names.push_back(name);
    }
    std::string list;
    for (const std::string& name : names) list += (list.empty() ? "" : ", ") + name;
    if (!caller.empty()) return "(" + caller + ".principals && array[" + list + "])";
    return "(select svc.acts_as(" + list + "))";
}

}  // namespace svc::plan
