#include "contract/keys/keys.hpp"

#include "contract/keys/key_shapes.hpp"

namespace svc::contract {
namespace {

using enum KeyKind;

constexpr Key kContractKeys[] = {
    {"$schema", string, "address of the JSON Schema; only editors use it"},
    {"app", object, "name and settings of the app", kRequired, &kApp},
    {"personas", objects, "kinds of users", kOptional, &kPersona},
    {"auth", object, "sign-up and sign-in", kOptional, &kAuth},
    {"orgs", object, "organisations", kOptional, &kOrgs},
    {"entities", objects, "tables", kOptional, &kEntity},
    {"functions", objects, "steps that run in one transaction", kOptional, &kFunction},
    {"workflows", objects, "steps that survive restarts", kOptional, &kWorkflow},
    {"webhooks", object, "incoming and outgoing webhooks", kOptional, &kWebhooks},
    {"topics", objects, "topics, and who may use them", kOptional, &kTopic},
    {"queries", objects, "named SQL queries", kOptional, &kQuery},
    {"payments", object, "orders and ways to pay", kOptional, &kPayments},
    {"files", object, "limits of uploads", kOptional, &kFiles},
    {"ai", object, "AI models and budgets", kOptional, &kAi},
    {"connectors", object, "services that steps and callers may call", kOptional, &kConnectors},
    {"pages", objects, "pages of the app", kOptional, &kPage},
    {"components", objects, "React components of pages", kOptional, &kComponent},
    {"seeds", seeds, "rows and accounts that every database starts with", kOptional, &kSeedUser},
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
