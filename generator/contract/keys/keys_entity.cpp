// Entities: fields, access, rules, lifecycles.
#include "contract/keys/key_shapes.hpp"

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
    {"name", identifier, "name of the field, its column and its JSON key", kRequired},
    {"type", string, "type of the field", kRequired, nullptr, kFieldTypes},
    {"label", string, "label that people see"},
    {"required", flag, "whether null is refused"},
    {"unique", flag, "whether two rows with the same value are refused"},
    {"default", any, "value of rows that send none: a literal, now() or today()"},
    {"min", any, "minimum value; of strings, minimum number of characters"},
    {"max", any, "maximum value; of strings, maximum number of characters"},
    {"pattern", string, "POSIX regular expression that some part of the value must match"},
    {"values", strings, "values of an enum"},
    {"labels", template_map, "words that people see for the values of an enum"},
    {"scale", count, "digits after the decimal point"},
    {"prefix", string, "prefix of a sequence's numbers"},
    {"immutable", flag, "whether the value is fixed once the row is created"},
    {"index", flag, "whether the column has an index"},
    {"to", string, "entity that the ref refers to"},
    {"onDelete", string, "what happens to this row when the referenced row is deleted", kOptional,
     nullptr, kOnDelete},
    {"read", strings, "personas that may read the field"},
    {"write", strings, "personas that may write the field; []: only the server"},
    {"renamedFrom", string, "former name of the field; its column is renamed and keeps its values"},
    {"computed", expression,
     "expression over fields of the same row; the database computes the value"},
};
constexpr Demand kFieldDemands[] = {{"type", "ref", "to"}};
constexpr Shape kField{"field", kFieldKeys, {}, kFieldDemands};

constexpr Key kRelationKeys[] = {
    {"many", string, "entity of the related rows", kRequired},
    {"by", string, "ref of that entity that points to this one", kRequired},
};
constexpr Shape kRelation{"relation", kRelationKeys};

constexpr Key kTransitionKeys[] = {
    {"name", identifier, "name of the transition", kRequired},
    {"from", string_or_strings, "states in which the transition is allowed", kRequired},
    {"to", string, "state after the transition", kRequired},
    {"by", string_or_strings, "principals that may make the transition", kRequired},
    {"if", expression, "condition on the row"},
    {"else", string, "message when the condition does not hold"},
    {"set", expression_map, "values that the transition writes"},
};
constexpr Shape kTransition{"transition", kTransitionKeys};

constexpr Key kLifecycleKeys[] = {
    {"field", identifier, "field that holds the state", kRequired},
    {"initial", string, "state of a new row", kRequired},
    {"states", strings, "all states", kRequired},
    {"final", string_or_strings, "states that no transition leaves"},
    {"transitions", objects, "allowed transitions", kRequired, &kTransition},
};
constexpr Shape kLifecycle{"lifecycle", kLifecycleKeys};

constexpr Key kGrantKeys[] = {
    {"to", string, "principal", kRequired},
    {"if", expression, "condition on the row"},
    {"fields", strings, "of update: the only fields that may change"},
};
constexpr Shape kGrant{"grant", kGrantKeys};

constexpr Key kDenyKeys[] = {
    {"read", grants, "who may not read which rows", kOptional, &kGrant},
    {"create", grants, "who may not create which rows", kOptional, &kGrant},
    {"update", grants, "who may not update which rows; with \"fields\", which fields of these rows",
     kOptional, &kGrant},
    {"delete", grants, "who may not delete which rows", kOptional, &kGrant},
};
constexpr Shape kDeny{"deny block", kDenyKeys};

constexpr Key kAccessKeys[] = {
    {"read", grants, "who may read which rows", kOptional, &kGrant},
    {"create", grants, "who may create which rows", kOptional, &kGrant},
    {"update", grants, "who may update which rows", kOptional, &kGrant},
    {"delete", grants, "who may delete which rows", kOptional, &kGrant},
    {"deny", object, "denials; a denial overrides all grants", kOptional, &kDeny},
    {"same_as", string, "ref field; access to its row decides access to this row"},
};
constexpr Shape kAccess{"access block", kAccessKeys};

constexpr Key kRuleKeys[] = {
    {"on", string_or_strings, "create, update, delete", kRequired, nullptr, kEvents},
    {"refuse", expression, "condition under which the write is refused", kRequired},
    {"message", string, "message to the caller", kRequired},
    {"field", string, "field that the error names"},
};
constexpr Shape kRule{"rule", kRuleKeys};

constexpr std::string_view kExternalKinds[] = {"postgres"};
constexpr Key kExternalKeys[] = {
    {"kind", string, "postgres", kRequired, nullptr, kExternalKinds},
    {"connection", secret, "secret:NAME with the address of the other database", kRequired},
    {"table", string, "table in the other database: <schema>.<table>", kRequired},
    {"key", string, "column of that table that identifies a row", kRequired},
};
constexpr Shape kExternal{"external table", kExternalKeys};

constexpr Key kSoftDeleteKeys[] = {
    {"keep", duration, "time after which a deleted row is purged", kRequired},
};
constexpr Shape kSoftDelete{"soft delete", kSoftDeleteKeys};

constexpr Key kEntityKeys[] = {
    {"name", identifier, "name of the entity, its table and its route", kRequired},
    {"label", string, "label that people see"},
    {"fields", objects, "fields of the entity", kRequired, &kField},
    {"owner", string, "user, org, user+org, none or parent:<ref field>; default user"},
    {"relations", object_map, "names for the rows that refer to this entity", kOptional,
     &kRelation},
    {"lifecycle", object, "states and transitions", kOptional, &kLifecycle},
    {"access", object, "who may do what to which rows", kOptional, &kAccess},
    {"rules", objects, "rules that refuse writes", kOptional, &kRule},
    {"unique", string_lists, "groups of fields that are unique together"},
    {"indexes", string_lists, "fields of each index; -field sorts in descending order"},
    {"search", strings, "fields for full-text search; title^3 has weight 3"},
    {"display", string,
     "what a row is called on pages: a field, or text with fields in braces: {number} {title}"},
    {"external", object, "the table in another database that holds the rows", kOptional,
     &kExternal},
    {"softDelete", object_or_flag, "whether deleted rows are kept and can be restored", kOptional,
     &kSoftDelete},
    {"audit", flag, "whether old and new values of each change are kept"},
    {"renamedFrom", string, "former name of the entity; its table is renamed and keeps its rows"},
};

}  // namespace

constinit const Shape kEntity{"entity", kEntityKeys};

}  // namespace svc::contract
