#include "contract/keys.hpp"

namespace svc::contract {
namespace {

using enum KeyKind;

constexpr bool kRequired = true;
constexpr bool kOptional = false;
constexpr bool kRuns = true;
constexpr bool kNotYet = false;

constexpr std::string_view kPersonaKinds[] = {"consumer", "staff"};
constexpr std::string_view kSignupPolicies[] = {"open", "invite_only", "disabled"};
constexpr std::string_view kFieldTypes[] = {
    "string",  "text",  "email", "url",     "phone", "slug", "integer",  "number",
    "decimal", "float", "money", "boolean", "date",  "time", "datetime", "enum",
    "tags",    "json",  "uuid",  "ref",     "user",  "file", "sequence"};
constexpr std::string_view kOnDelete[] = {"restrict", "cascade", "null"};
constexpr std::string_view kEvents[] = {"create", "update", "delete"};

constexpr Key kAppKeys[] = {
    {"name", string, "name of the app", kRequired},
    {"description", string, "what it is for"},
    {"timezone", string, "IANA name of the time zone of days and weeks; UTC"},
    {"currency", string, "lower-case ISO 4217 code; usd"},
    {"locale", string, "language tag; en"},
};
constexpr Shape kApp{"app", kAppKeys};

constexpr Key kPersonaKeys[] = {
    {"id", identifier, "its name in access lists", kRequired},
    {"kind", string, "staff or consumer", kRequired, kRuns, nullptr, kPersonaKinds},
    {"label", string, "its name for people"},
    {"signup", flag, "may people sign up as it by themselves"},
    {"extends", strings, "personas whose rights it has too"},
    {"mfa", any, "\"required\": it must have a second factor", kOptional, kNotYet},
};
constexpr Shape kPersona{"persona", kPersonaKeys};

constexpr Key kPasswordKeys[] = {{"min", count, "least number of characters, 8 or more"}};
constexpr Shape kPassword{"password settings", kPasswordKeys};

constexpr Key kSessionKeys[] = {
    {"idle", string, "duration after which an unused session ends; 14d"},
    {"max", string, "duration after which any session ends; 90d"},
};
constexpr Shape kSession{"session settings", kSessionKeys};

constexpr Key kAuthKeys[] = {
    {"signup", string, "who may make an account", kOptional, kRuns, nullptr, kSignupPolicies},
    {"verifyEmail", flag, "must an address be confirmed before the first sign-in"},
    {"methods", strings, "password, magic, oidc:<provider>"},
    {"providers", any, "OpenID Connect providers", kOptional, kNotYet},
    {"password", object, "rules for passwords", kOptional, kRuns, &kPassword},
    {"session", object, "how long sessions live", kOptional, kRuns, &kSession},
};
constexpr Shape kAuth{"auth settings", kAuthKeys};

constexpr Key kOrgKeys[] = {
    {"enabled", flag, "do accounts belong to organisations"},
    {"roles", strings, "roles inside an organisation, the highest first"},
};
constexpr Shape kOrgs{"orgs settings", kOrgKeys};

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
constexpr Shape kField{"field", kFieldKeys};

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
    {"update", grants, "who may not change which rows", kOptional, kRuns, &kGrant},
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
    {"search", any, "fields of full-text search", kOptional, kNotYet},
    {"external", any, "a table elsewhere", kOptional, kNotYet},
    {"softDelete", any, "keep deleted rows", kOptional, kNotYet},
    {"audit", any, "keep old and new values", kOptional, kNotYet},
};
constexpr Shape kEntity{"entity", kEntityKeys};

constexpr Key kQueryKeys[] = {
    {"name", string, "its name", kRequired},
    {"description", any, "what it answers"},
    {"mode", any, "read or write"},
    {"params", any, "its parameters"},
    {"allow", any, "who may run it"},
    {"sql", string, "one statement with :name parameters", kRequired},
};
constexpr Shape kQuery{"query", kQueryKeys};

constexpr Key kContractKeys[] = {
    {"$schema", string, "address of the JSON Schema, for editors"},
    {"app", object, "the app itself", kRequired, kRuns, &kApp},
    {"personas", objects, "kinds of users", kOptional, kRuns, &kPersona},
    {"auth", object, "signing up and in", kOptional, kRuns, &kAuth},
    {"orgs", object, "organisations", kOptional, kNotYet, &kOrgs},
    {"entities", objects, "tables", kOptional, kRuns, &kEntity},
    {"queries", objects, "named SQL", kOptional, kNotYet, &kQuery},
    {"functions", any, "synchronous steps", kOptional, kNotYet},
    {"workflows", any, "durable steps", kOptional, kNotYet},
    {"webhooks", any, "calls in and out", kOptional, kNotYet},
    {"topics", any, "who may use which feed", kOptional, kNotYet},
    {"payments", any, "checkout", kOptional, kNotYet},
    {"files", any, "limits of uploads", kOptional, kNotYet},
    {"ai", any, "models and budgets", kOptional, kNotYet},
    {"connectors", any, "other services", kOptional, kNotYet},
    {"pages", any, "screens", kOptional, kNotYet},
    {"components", any, "screens' own parts", kOptional, kNotYet},
    {"seeds", seeds, "first rows and accounts"},
};
constexpr Shape kContract{"contract", kContractKeys};

}  // namespace

const Key* Shape::find(std::string_view name) const {
    for (const Key& key : keys) {
        if (key.name == name) return &key;
    }
    return nullptr;
}

const Shape& contract_shape() { return kContract; }

}  // namespace svc::contract
