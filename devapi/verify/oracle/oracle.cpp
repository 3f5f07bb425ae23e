#include "verify/oracle/oracle.hpp"

#include <algorithm>

#include "model/values.hpp"
#include "plan/names.hpp"

namespace svc::devapi::verification {
namespace {

using model::Access;
using model::Grant;

const std::vector<Grant>& declared_grants(const Access& access, Operation operation) {
    return operation == Operation::read     ? access.read
           : operation == Operation::create ? access.create
           : operation == Operation::update ? access.update
                                            : access.remove;
}

const std::vector<Grant>& declared_denials(const Access& access, Operation operation) {
    return operation == Operation::read     ? access.deny.read
           : operation == Operation::create ? access.deny.create
           : operation == Operation::update ? access.deny.update
                                            : access.deny.remove;
}

std::string uuid_or_null(const std::string& id) {
    return id.empty() ? "null::uuid" : plan::literal(id) + "::uuid";
}

}  // namespace

std::string Oracle::any(const std::vector<Grant>& grants, const std::string& alias) {
    std::string out;
    for (const Grant& grant : grants) {
        if (!caller_.is(grant.to)) continue;
        if (!grant.condition) return "true";
        out += (out.empty() ? "" : " or ") + holds(*grant.condition, {.row = alias});
    }
    return out.empty() ? "false" : "(" + out + ")";
}

std::string Oracle::granted(Operation operation, std::size_t index, const std::string& alias) {
    const model::Entity& entity = model_.entities[index];
    // Where a contract says nothing, its own servers may do everything.
    if (entity.access.defaulted && caller_.server && !entity.access.same_as) return "true";
    std::string out = any(declared_grants(entity.access, operation), alias);
    if (!entity.access.same_as) return out;
    const model::Field& ref = entity.fields[*entity.access.same_as];
    const std::string above = fresh_alias();
    const Operation needed = operation == Operation::read ? Operation::read : Operation::update;
    return "(" + out + " or exists (select from " +
           plan::table(model_.entities[ref.ref_entity].name) + " " + above + " where " + above +
           ".id = " + alias + "." + plan::ident(ref.name) + " and " +
           may(needed, ref.ref_entity, above) + "))";
}

// Denials that speak of fields say nothing of whole rows.
std::string Oracle::denied(Operation operation, std::size_t index, const std::string& alias) {
    std::vector<Grant> whole;
    for (const Grant& denial : declared_denials(model_.entities[index].access, operation))
        if (denial.fields.empty()) whole.push_back(denial);
    return any(whole, alias);
}

std::string Oracle::may(Operation operation, std::size_t entity, const std::string& alias) {
    std::string out = "(" + granted(operation, entity, alias) + " and not " +
                      denied(operation, entity, alias) + ")";
    const bool is_write = operation == Operation::update || operation == Operation::remove;
    return is_write ? "(" + may(Operation::read, entity, alias) + " and " + out + ")" : out;
}

std::string Oracle::stamped(std::size_t index, const std::string& alias) const {
    if (caller_.server) return "true";
    const model::Owner& owner = model_.entities[index].owner;
    std::string out = "true";
    if (owner.user)
        out += " and " + alias + ".user_id is not distinct from " + uuid_or_null(caller_.id);
    if (owner.org)
        out += " and " + alias + ".org_id is not distinct from " + uuid_or_null(caller_.org);
    return "(" + out + ")";
}

// A grant of the caller allows the field before and after the change, and no denial of the field
// applies before or after it.
std::string Oracle::may_change(std::size_t index, std::size_t f, const std::string& before,
                               const std::string& after) {
    const model::Entity& entity = model_.entities[index];
    const model::Field& field = entity.fields[f];
    if (field.lifecycle || field.immutable || field.computed ||
        field.type == model::FieldType::sequence)
        return "false";
    const auto writes = [&](const std::string& persona) {
        return std::ranges::find(caller_.acts_as, persona) != caller_.acts_as.end();
    };
    if (field.write && !caller_.server && !std::ranges::any_of(*field.write, writes))
        return "false";
    const auto speaks = [&](const Grant& grant, bool of_all) {
        return caller_.is(grant.to) && ((of_all && grant.fields.empty()) ||
                                        std::ranges::find(grant.fields, f) != grant.fields.end());
    };
    std::string allowed, refused;
    for (const Grant& grant : entity.access.update) {
        if (!speaks(grant, true)) continue;
        allowed += (allowed.empty() ? "" : " or ") +
                   (grant.condition ? "(" + holds(*grant.condition, {.row = before}) + " and " +
                                          holds(*grant.condition, {.row = after}) + ")"
                                    : std::string("true"));
    }
    const bool limited = std::ranges::any_of(
        entity.access.update, [](const Grant& grant) { return !grant.fields.empty(); });
    if (!limited) allowed = "true";
    for (const Grant& denial : entity.access.deny.update) {
        if (denial.fields.empty() || !speaks(denial, false)) continue;
        refused += " and not " + (denial.condition
                                      ? "(" + holds(*denial.condition, {.row = before}) + " or " +
                                            holds(*denial.condition, {.row = after}) + ")"
                                      : std::string("true"));
    }
    return "((" + (allowed.empty() ? "false" : allowed) + ")" + refused + ")";
}

std::string Oracle::of_caller(model::CallerAttribute attribute) const {
    const auto text = [](const std::string& value) {
        return value.empty() ? "null::text" : plan::literal(value) + "::text";
    };
    switch (attribute) {
        case model::CallerAttribute::id:
            return uuid_or_null(caller_.id);
        case model::CallerAttribute::org:
            return uuid_or_null(caller_.org);
        case model::CallerAttribute::is_admin:
            return caller_.is_admin ? "true" : "false";
        case model::CallerAttribute::email:
            return text(caller_.email);
        case model::CallerAttribute::persona:
            break;
    }
    return text(caller_.persona);
}

std::string Oracle::may_use(const std::vector<model::TopicGrant>& grants, const Parts& parts) {
    std::string out;
    for (const model::TopicGrant& grant : grants) {
        if (!caller_.is(grant.to)) continue;
        if (!grant.condition) return "true";
        out += (out.empty() ? "" : " or ") + holds(*grant.condition, {.parts = &parts});
    }
    return out.empty() ? "false" : "(" + out + ")";
}

// If the part stands for an id but is not written as one, it is null.
std::string Oracle::part(const model::Expr& expr, const Rows& rows) {
    const std::string& text = rows.parts->at(expr.text);
    if (expr.type != model::ExprType::uuid) return plan::literal(text) + "::text";
    const auto upper = [](char c) { return c >= 'A' && c <= 'Z'; };
    const bool id = text.size() == 36 && base::is_uuid(text) && std::ranges::none_of(text, upper);
    return uuid_or_null(id ? text : "");
}

std::string Oracle::can(const model::Expr& call, const Rows& rows) {
    const model::Step& last = call.args[1]->steps.back();
    const Operation operation =
        base::read_word<Operation>(call.args[0]->text).value_or(Operation::remove);
    const std::size_t target = last.kind == model::Step::Kind::field
                                   ? model_.entities[last.entity].fields[last.field].ref_entity
                                   : last.target;
    const std::string there = fresh_alias();
    return "exists (select from " + plan::table(model_.entities[target].name) + " " + there +
           " where " + there + ".id = " + value(*call.args[1], rows) + " and " +
           may(operation, target, there) + ")";
}

}  // namespace svc::devapi::verification
