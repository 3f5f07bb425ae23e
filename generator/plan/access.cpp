#include "plan/access.hpp"

#include <algorithm>

#include "plan/names.hpp"

namespace svc::plan {
namespace {

using model::Entity;
using model::Grant;
using model::Model;
using model::Principal;

const std::vector<Grant>& declared(const model::Access& access, Operation operation) {
    switch (operation) {
        case Operation::read:
            return access.read;
        case Operation::create:
            return access.create;
        case Operation::update:
            return access.update;
        case Operation::remove:
            return access.remove;
    }
    return access.read;
}

const std::vector<Grant>& all_denied(const model::Access& access, Operation operation) {
    switch (operation) {
        case Operation::read:
            return access.deny.read;
        case Operation::create:
            return access.deny.create;
        case Operation::update:
            return access.deny.update;
        case Operation::remove:
            return access.deny.remove;
    }
    return access.deny.read;
}

std::vector<Grant> denials(const model::Access& access, Operation operation, bool of_fields) {
    std::vector<Grant> out;
    for (const Grant& denial : all_denied(access, operation)) {
        if (denial.fields.empty() != of_fields) out.push_back(denial);
    }
    return out;
}

}  // namespace

std::vector<Grant> grants(const Entity& entity, Operation operation) {
    std::vector<Grant> out = declared(entity.access, operation);
    if (entity.access.defaulted) {
        Grant server;
        server.to = {Principal::Kind::server, ""};
        out.push_back(server);
    }
    return out;
}

std::vector<Grant> denied(const model::Access& access, Operation operation) {
    return denials(access, operation, false);
}

std::vector<Grant> denied_fields(const model::Access& access) {
    return denials(access, Operation::update, true);
}

Operation needed_above(Operation operation) {
    return operation == Operation::read ? Operation::read : Operation::update;
}

const Entity& decided_by(const Model& model, const Entity& entity) {
    return model.entities[entity.fields[*entity.access.same_as].ref_entity];
}

PrincipalBits access_bits(const Model& model, const Entity& entity, Operation operation) {
    PrincipalBits out = bits(model, grants(entity, operation));
    if (entity.access.same_as) {
        out |= access_bits(model, decided_by(model, entity), needed_above(operation));
    }
    return out & ~denied_bits(model, entity, operation);
}

PrincipalBits denied_bits(const Model& model, const Entity& entity, Operation operation) {
    PrincipalBits out = 0;
    if (entity.access.same_as) {
        out = denied_bits(model, decided_by(model, entity), needed_above(operation));
    }
    for (const Grant& deny : denied(entity.access, operation)) {
        if (!deny.condition) out |= bits(model, deny.to);
    }
    return out;
}

std::string access_words(const Model& model, const Entity& entity, Operation operation) {
    if (entity.access.same_as) {
        return std::string("as the parent ") + decided_by(model, entity).name;
    }
    std::string out;
    for (const Grant& grant : grants(entity, operation)) {
        const std::string who = acts_as({grant.to});
        const auto from = who.find('\'');
        const std::string name = from == std::string::npos
                                     ? "everyone"
                                     : who.substr(from + 1, who.rfind('\'') - from - 1);
        out += (out.empty() ? "" : ", ") + name + (grant.condition ? " (some rows)" : "");
    }
    return out.empty() ? "nobody" : out;
}

}  // namespace svc::plan
