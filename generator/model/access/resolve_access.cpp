#include <algorithm>

#include "model/expr/typing.hpp"
#include "model/names.hpp"
#include "model/parts.hpp"

namespace svc::model {
namespace {

enum class Operation { read, create, update, remove };

std::vector<Grant> grants(Work work, std::size_t entity, const std::vector<contract::Grant>& in,
                          Operation operation) {
    const ExprScope scope{.model = work.out, .entity = entity};
    std::vector<Grant> out;
    for (const contract::Grant& given : in) {
        Grant grant;
        grant.path = given.path;
        if (given.condition)
            grant.condition = read_condition(*given.condition, scope, work.findings);
        for (const contract::Text& name : given.fields.value_or(contract::Texts{})) {
            if (const auto field = resolve_own_field(work, entity, name))
                grant.fields.push_back(*field);
        }
        if (given.fields && (operation != Operation::update || given.fields->empty())) {
            work.findings.error(
                "BAD_ACCESS", contract::child(given.path, "fields"),
                operation == Operation::update ? "A grant with an empty \"fields\" allows nothing."
                                               : "\"fields\" has an effect on update only.",
                operation == Operation::read ? "to hide fields, set \"read\" on the fields"
                                             : "remove it");
        }
        if (std::optional<Principal> to = resolve_principal(work, given.to)) {
            grant.to = std::move(*to);
            out.push_back(std::move(grant));
        }
    }
    return out;
}

void same_as(Work work, std::size_t entity, const contract::Access& in, Access& out) {
    out.same_as = resolve_own_field(work, entity, *in.same_as);
    if (in.has_grants) {
        work.findings.error("BAD_ACCESS", in.same_as->path,
                            "An access block with \"same_as\" can have no other key.",
                            "keep \"same_as\" alone, or write the grants out");
    }
    if (out.same_as && work.out.entities[entity].fields[*out.same_as].type != FieldType::ref) {
        work.findings.error("BAD_ACCESS", in.same_as->path,
                            "\"" + in.same_as->text + "\" is not a ref field.",
                            "name the ref field whose row decides");
        out.same_as.reset();
    }
    if (out.same_as && work.out.entities[entity].fields[*out.same_as].broken) out.same_as.reset();
}

// The access if the contract has none: signed-in users on their own rows, staff on all rows.
void defaults(Work work, std::size_t index, Access& out) {
    const Entity& entity = work.out.entities[index];
    out.defaulted = true;
    std::string who = "signed-in users, staff and servers on all rows";
    if (entity.owner.parent && !entity.fields[*entity.owner.parent].broken) {
        out.same_as = entity.owner.parent;
        who = "callers who may do so on the row of \"" + entity.fields[*out.same_as].name + "\"";
    } else {
        const ExprPtr own = owned_by_caller(index, entity.owner);
        if (own) who = "signed-in users on their own rows, and to staff and servers on all rows";
        const Principal signed_in{Principal::Kind::signed_in, ""};
        const Principal staff{Principal::Kind::staff, ""};
        for (auto* operation : {&out.read, &out.create, &out.update, &out.remove}) {
            operation->push_back({signed_in, own, {}, entity.path});
            operation->push_back({staff, nullptr, {}, entity.path});
        }
    }
    if (work.findings.doubts(contract::child(entity.path, "access"))) return;
    work.findings.warning(
        "ACCESS_DEFAULTED", entity.path,
        "\"" + entity.name + "\" has no access block, so it is open to " + who + ".",
        "say who may do what: \"access\": {…}");
}

}  // namespace

void resolve_access(Work work) {
    for (std::size_t e = 0; e < work.in.entities.size(); ++e) {
        const std::optional<contract::Access>& in = work.in.entities[e].access;
        Access& out = work.out.entities[e].access;
        if (!in) {
            defaults(work, e, out);
            continue;
        }
        if (in->same_as) {
            same_as(work, e, *in, out);
            continue;
        }
        out.read = grants(work, e, in->grants.read, Operation::read);
        out.create = grants(work, e, in->grants.create, Operation::create);
        out.update = grants(work, e, in->grants.update, Operation::update);
        out.remove = grants(work, e, in->grants.remove, Operation::remove);
        out.deny.read = grants(work, e, in->deny.read, Operation::read);
        out.deny.create = grants(work, e, in->deny.create, Operation::create);
        out.deny.update = grants(work, e, in->deny.update, Operation::update);
        out.deny.remove = grants(work, e, in->deny.remove, Operation::remove);
    }
    check_questions(work);
    check_depth(work);
}

}  // namespace svc::model
