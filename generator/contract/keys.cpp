#include "contract/keys.hpp"

#include "contract/key_shapes.hpp"

namespace svc::contract {
namespace {

using enum KeyKind;

constexpr Key kContractKeys[] = {
    {"$schema", string, "address of the JSON Schema, for editors"},
    {"app", object, "the app itself", kRequired, kRuns, &kApp},
    {"personas", objects, "kinds of users", kOptional, kRuns, &kPersona},
    {"auth", object, "signing up and in", kOptional, kRuns, &kAuth},
    {"orgs", object, "organisations", kOptional, kRuns, &kOrgs},
    {"entities", objects, "tables", kOptional, kRuns, &kEntity},
    {"functions", objects, "synchronous steps", kOptional, kNotYet, &kFunction},
    {"workflows", objects, "durable steps", kOptional, kNotYet, &kWorkflow},
    {"webhooks", object, "calls in and out", kOptional, kNotYet, &kWebhooks},
    {"topics", objects, "who may use which topic", kOptional, kRuns, &kTopic},
    {"queries", objects, "named SQL", kOptional, kRuns, &kQuery},
    {"payments", object, "checkout", kOptional, kNotYet, &kPayments},
    {"files", object, "limits of uploads", kOptional, kNotYet, &kFiles},
    {"ai", object, "models and budgets", kOptional, kNotYet, &kAi},
    {"connectors", object, "other services", kOptional, kNotYet, &kConnectors},
    {"pages", objects, "screens", kOptional, kNotYet, &kPage},
    {"components", objects, "screens' own parts", kOptional, kNotYet, &kComponent},
    {"seeds", seeds, "first rows and accounts", kOptional, kRuns, &kSeedUser},
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
