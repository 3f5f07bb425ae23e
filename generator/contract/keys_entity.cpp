// Entities: fields, access, rules, lifecycles.
#include "contract/key_shapes.hpp"

namespace svc::contract {
namespace {

using enum KeyKind;

constexpr std::string_view kFieldTypes[] = {
    "string",  "text",  "email", "url",     "phone", "slug", "integer",  "number",
    "decimal", "float", "money", "boolean", "date",  "time", "datetime", "enum",
    "tags",    "json",  "uuid",  "ref",     "user",  "file", "sequence"};
constexpr std::string_view kOnDelete[] = {"restrict", "cascade", "null"};
constexpr std::string_view kEvents[] = {"create", "update", "delete"};

constexpr Key kFieldKeys[] = {
    {"name", identifier, "its name: column, JSON key, member", kRequired},
    {"type", string, "its type", kRequired, kRuns, nullptr, kFieldTypes},
    {"label", string, "its name for people"},
    {"required", flag, "may it not be null"},
    {"unique", flag, "may no two rows have the same value"},
    {"default", any, "value of a row that sends none: a literal, now() or today()"},
    {"min", any, "least value; of texts, least number of characters"},
    {"max", any, "greatest value; of texts, greatest number of characters"},
    {"pattern", string, "regular expression that the whole text or a part of it must match"},
    {"values", strings, "the values of an enum"},
    {"scale", count, "digits after the point of a decimal"},
    {"prefix", string, "what a sequence's numbers begin with"},
    {"immutable", flag, "may it be set only when the row is made"},
    {"index", flag, "is there an index on it"},
    {"to", string, "entity that a ref names"},
    {"onDelete", string, "what happens to this row when the referred one goes", kOptional, kRuns,
     nullptr, kOnDelete},
    {"read", strings, "personas that see it"},
    {"write", strings, "personas that may send it; none: the server only"},
    {"renamedFrom", string, "its former name: the column keeps its data"},
    {"computed", expression, "expression over the row's own fields that gives its value"},
};
constexpr Demand kFieldDemands[] = {{"type", "ref", "to"}};
constexpr Shape kField{"field", kFieldKeys, {}, kFieldDemands};

constexpr Key kRelationKeys[] = {
    {"many", string, "entity of the many side", kRequired},
    {"by", string, "its ref that points back here", kRequired},
};
constexpr Shape kRelation{"relation", kRelationKeys};

constexpr Key kTransitionKeys[] = {
    {"name", identifier, "its name", kRequired},
    {"from", string_or_strings, "states that it leaves", kRequired},
    {"to", string, "state that it reaches", kRequired},
    {"by", string_or_strings, "principals that may make it", kRequired},
    {"if", expression, "condition on the row"},
    {"else", string, "what a caller is told when the condition does not hold"},
    {"set", expression_map, "fields that it sets"},
};
constexpr Shape kTransition{"transition", kTransitionKeys};

constexpr Key kLifecycleKeys[] = {
    {"field", identifier, "field that holds the state", kRequired},
    {"initial", string, "state of a new row", kRequired},
    {"states", strings, "all states", kRequired},
    {"final", string_or_strings, "states that nothing leaves"},
    {"transitions", objects, "the moves", kRequired, kRuns, &kTransition},
};
constexpr Shape kLifecycle{"lifecycle", kLifecycleKeys};

constexpr Key kGrantKeys[] = {
    {"to", string, "principal", kRequired},
    {"if", expression, "condition on the row"},
    {"fields", strings, "of update: the only fields that may change"},
};
constexpr Shape kGrant{"grant", kGrantKeys};

constexpr Key kDenyKeys[] = {
    {"read", grants, "who may not see which rows", kOptional, kRuns, &kGrant},
    {"create", grants, "who may not make which rows", kOptional, kRuns, &kGrant},
    {"update", grants,
     "who may not change which rows; with \"fields\", who may not change these fields of them",
     kOptional, kRuns, &kGrant},
    {"delete", grants, "who may not delete which rows", kOptional, kRuns, &kGrant},
};
constexpr Shape kDeny{"deny block", kDenyKeys};

constexpr Key kAccessKeys[] = {
    {"read", grants, "who may see which rows", kOptional, kRuns, &kGrant},
    {"create", grants, "who may make which rows", kOptional, kRuns, &kGrant},
    {"update", grants, "who may change which rows", kOptional, kRuns, &kGrant},
    {"delete", grants, "who may delete which rows", kOptional, kRuns, &kGrant},
    {"deny", object, "what wins over the grants", kOptional, kRuns, &kDeny},
    {"same_as", string, "ref field whose row decides instead"},
};
constexpr Shape kAccess{"access block", kAccessKeys};

constexpr Key kRuleKeys[] = {
    {"on", string_or_strings, "create, update, delete", kRequired, kRuns, nullptr, kEvents},
    {"refuse", expression, "the write is refused where this holds", kRequired},
    {"message", string, "what the caller is told", kRequired},
    {"field", string, "field that is at fault"},
};
constexpr Shape kRule{"rule", kRuleKeys};

constexpr std::string_view kExternalKinds[] = {"postgres"};
constexpr Key kExternalKeys[] = {
    {"kind", string, "postgres", kRequired, kRuns, nullptr, kExternalKinds},
    {"connection", secret, "secret:NAME of the other database's address", kRequired},
    {"table", string, "<schema>.<table> there", kRequired},
    {"key", string, "column there that tells rows apart", kRequired},
};
constexpr Shape kExternal{"external table", kExternalKeys};

constexpr Key kSoftDeleteKeys[] = {
    {"keep", duration, "time after which a deleted row is gone for good", kRequired},
};
constexpr Shape kSoftDelete{"soft delete", kSoftDeleteKeys};

constexpr Key kEntityKeys[] = {
    {"name", identifier, "its name: table and route", kRequired},
    {"label", string, "its name for people"},
    {"fields", objects, "its fields", kRequired, kRuns, &kField},
    {"owner", string, "user, org, user+org, none or parent:<ref field>; user"},
    {"relations", object_map, "other sides of refs to it", kOptional, kRuns, &kRelation},
    {"lifecycle", object, "states and moves", kOptional, kRuns, &kLifecycle},
    {"access", object, "who may do what to which rows", kOptional, kRuns, &kAccess},
    {"rules", objects, "checks before a write", kOptional, kRuns, &kRule},
    {"unique", string_lists, "sets of fields that no two rows share"},
    {"indexes", string_lists, "indexes; -field descends"},
    {"search", strings, "fields of full-text search; title^3 weighs three times as much"},
    {"external", object, "its rows are those of a table elsewhere", kOptional, kRuns, &kExternal},
    {"softDelete", object_or_flag, "deleted rows are kept, out of everyone's sight", kOptional,
     kRuns, &kSoftDelete},
    {"audit", flag, "are old and new values of each change kept"},
};

}  // namespace

constinit const Shape kEntity{"entity", kEntityKeys};

}  // namespace svc::contract
