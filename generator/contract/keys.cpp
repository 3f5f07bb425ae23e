#include "contract/keys.hpp"

#include "contract/key_shapes.hpp"

namespace svc::contract {
namespace {

using enum KeyKind;

constexpr Key kContractKeys[] = {
    {"$schema", string, "address of the JSON Schema; only editors use it"},
    {"app", object, "name and settings of the app", kRequired, kRuns, &kApp},
    {"personas", objects, "kinds of users", kOptional, kRuns, &kPersona},
    {"auth", object, "sign-up and sign-in", kOptional, kRuns, &kAuth},
    {"orgs", object, "organisations", kOptional, kRuns, &kOrgs},
    {"entities", objects, "tables", kOptional, kRuns, &kEntity},
    {"functions", objects, "steps that run in one transaction", kOptional, kRuns, &kFunction},
    {"workflows", objects, "steps that survive restarts", kOptional, kRuns, &kWorkflow},
    {"webhooks", object, "incoming and outgoing webhooks", kOptional, kRuns, &kWebhooks},
    {"topics", objects, "topics, and who may use them", kOptional, kRuns, &kTopic},
    {"queries", objects, "named SQL queries", kOptional, kRuns, &kQuery},
    {"payments", object, "orders and ways to pay", kOptional, kRuns, &kPayments},
    {"files", object, "limits of uploads", kOptional, kRuns, &kFiles},
    {"ai", object, "AI models and budgets", kOptional, kRuns, &kAi},
    {"connectors", object, "services that steps and callers may call", kOptional, kRuns,
     &kConnectors},
    {"pages", objects, "pages of the app", kOptional, kRuns, &kPage},
    {"components", objects, "React components of pages", kOptional, kRuns, &kComponent},
    {"seeds", seeds, "rows and accounts that every database starts with", kOptional, kRuns,
     &kSeedUser},
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
