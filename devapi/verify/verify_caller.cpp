#include "verify/verify_caller.hpp"

#include <algorithm>
#include <cstdio>
#include <nlohmann/json.hpp>

#include "model/names.hpp"

namespace svc::devapi::verification {
namespace {

using Kind = model::Principal::Kind;

std::string account_id(std::size_t persona, std::size_t n) {
    char text[64];
    std::snprintf(text, sizeof text, "0198b6a0-0000-7000-8000-0000%04zx%04zx", 0xacc0 + persona, n);
    return text;
}

VerifyCaller signed_in_as(const model::Model& model, std::size_t index, std::size_t n) {
    const model::Persona& persona = model.personas[index];
    VerifyCaller out;
    out.name = persona.id + " (" + std::to_string(n) + ")";
    out.staff = persona.kind == model::PersonaKind::staff;
    out.persona = persona.id;
    out.acts_as = persona.acts_as;
    out.id = account_id(index, n);
    out.email = persona.id + "." + std::to_string(n) + "@verify.invalid";
    if (!model.org_roles.empty()) out.org = kOrgs[n == 2 ? 1 : 0];
    return out;
}

void add_members(const model::Model& model, std::size_t index, std::vector<VerifyCaller>& out) {
    for (const std::string& role : model.org_roles) {
        VerifyCaller member = signed_in_as(model, index, 1);
        member.org_role = role;
        member.name = model.personas[index].id + " (1, org:" + role + ")";
        out.push_back(std::move(member));
    }
}

}  // namespace

bool VerifyCaller::is(const model::Principal& principal) const {
    switch (principal.kind) {
        case Kind::any:
            return true;
        case Kind::guest:
            return guest;
        case Kind::server:
            return server;
        case Kind::signed_in:
            return !guest && !server;
        case Kind::staff:
            return !guest && !server && staff;
        case Kind::consumer:
            return !guest && !server && !staff;
        case Kind::persona:
            return model::contains(acts_as, principal.name);
        case Kind::org_role:
            return !org_role.empty() && org_role == principal.name;
    }
    return false;
}

bool VerifyCaller::is_any(const std::vector<model::Principal>& principals) const {
    return std::any_of(principals.begin(), principals.end(),
                       [this](const auto& principal) { return is(principal); });
}

bool VerifyCaller::reads(const model::Field& field) const {
    return server || !field.read ||
           std::any_of(field.read->begin(), field.read->end(), [this](const std::string& persona) {
               return model::contains(acts_as, persona);
           });
}

std::string VerifyCaller::names() const {
    if (guest) return "guest";
    if (server) return "server";
    std::string out;
    for (const std::string& name : acts_as) out += name + ",";
    out += staff ? "staff,signed_in" : "consumer,signed_in";
    return org_role.empty() ? out : out + ",org:" + org_role;
}

std::string VerifyCaller::claims() const {
    nlohmann::json out = {{"isAdmin", is_admin}};
    if (!persona.empty()) out["persona"] = persona;
    if (!email.empty()) out["email"] = email;
    if (!org.empty()) out["org"] = org;
    if (!org_role.empty()) out["orgRole"] = org_role;
    return out.dump();
}

std::vector<VerifyCaller> all_callers(const model::Model& model) {
    std::vector<VerifyCaller> out(2);
    out[0].name = "guest";
    out[0].guest = true;
    out[1].name = "server";
    out[1].server = true;
    for (std::size_t i = 0; i < model.personas.size(); ++i) {
        for (const std::size_t n : {1, 2}) out.push_back(signed_in_as(model, i, n));
        add_members(model, i, out);
    }
    if (!model.personas.empty()) out.push_back(all_admins(model)[0]);
    return out;
}

std::vector<VerifyCaller> all_admins(const model::Model& model) {
    std::vector<VerifyCaller> out;
    for (std::size_t i = 0; i < model.personas.size(); ++i) {
        VerifyCaller admin = signed_in_as(model, i, 1);
        admin.name = "admin (" + admin.persona + ")";
        admin.id = account_id(model.personas.size(), i + 1);
        admin.email = (i == 0 ? "admin" : "admin." + admin.persona) + "@verify.invalid";
        admin.is_admin = true;
        out.push_back(std::move(admin));
    }
    return out;
}

std::vector<VerifyCaller> all_members(const model::Model& model) {
    constexpr std::size_t kFirst = 3;  // accounts of a persona before have other uses
    const std::size_t personas = model.personas.size(), roles = model.org_roles.size();
    std::vector<VerifyCaller> out;
    if (personas == 0 || roles == 0) return out;
    for (std::size_t i = 0; i < std::max(personas, roles); ++i) {
        VerifyCaller member = signed_in_as(model, i % personas, kFirst + i / personas);
        member.org_role = model.org_roles[i % roles];
        member.name = member.persona + " (org:" + member.org_role + ")";
        out.push_back(std::move(member));
    }
    return out;
}

}  // namespace svc::devapi::verification
