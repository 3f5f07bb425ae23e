// Payments, files, AI, connectors and providers of sign-in.
#include "contract/keys/key_shapes.hpp"

namespace svc::contract {
namespace {

using enum KeyKind;

constexpr std::string_view kPaymentMethods[] = {"offline", "card"};
constexpr std::string_view kAuthTypes[] = {"bearer", "header", "basic"};
constexpr std::string_view kHttpMethods[] = {"GET", "POST", "PUT", "PATCH", "DELETE"};
constexpr std::string_view kPresets[] = {"google", "github", "microsoft", "apple"};
constexpr std::string_view kIssuerOrPreset[] = {"issuer", "preset"};

constexpr Key kPaymentKeys[] = {
    {"order", string, "entity of an order", kRequired},
    {"lines", string, "entity of an order's lines", kRequired},
    {"link", string, "ref field of the lines that names the order", kRequired},
    {"quantity", string, "integer or number field of the lines that holds the quantity", kRequired},
    {"item", string, "ref field of the lines that names the entity with the price", kRequired},
    {"price", string, "price field of that entity: money (cents), number or decimal (whole units)",
     kRequired},
    {"methods", strings, "ways to pay; default both", kOptional, nullptr, kPaymentMethods},
    {"settle", string_or_strings,
     "principals that may say that an order was paid offline; default nobody"},
    {"instructions", string, "how to pay offline, as the pay block of a page shows it"},
};

constexpr Key kFileQuotaKeys[] = {
    {"perUser", size, "size of all files of one account together: 500MB"},
    {"perProject", size, "size of all files together: 20GB"},
};
constexpr Shape kFileQuota{"files quota", kFileQuotaKeys};

constexpr Key kFileKeys[] = {
    {"maxSize", size, "maximum size of a file, at most 1GB; default 25MB"},
    {"mime", strings,
     "file types that may be uploaded: image/png, image/*; default all known types"},
    {"quota", object, "limits of what is stored; default none", kOptional, &kFileQuota},
};

constexpr Key kBudgetKeys[] = {
    {"perUserDaily", count, "tokens per user and day"},
    {"perProjectDaily", count, "tokens per day for all users and guests together"},
};
constexpr Shape kBudget{"budget", kBudgetKeys};

constexpr Key kAiKeys[] = {
    {"model", string, "model that answers a chat"},
    {"embedModel", string, "model that computes embeddings"},
    {"system", string, "system prompt of every chat"},
    {"maxInputChars", count, "maximum characters of all messages of a chat; default 100000"},
    {"maxOutputTokens", count, "maximum tokens of an answer; default 4096"},
    {"budget", object, "limits of tokens per day", kOptional, &kBudget},
    {"models", strings, "models that may be used; default \"model\" and \"embedModel\""},
};

constexpr Key kConnectorAuthKeys[] = {
    {"type", string, "bearer, header or basic", kRequired, nullptr, kAuthTypes},
    {"secret", secret, "secret:NAME with the token, header value or password", kRequired},
    {"name", string, "of type header: name of the header"},
    {"user", string, "of type basic: user name"},
};
constexpr Shape kConnectorAuth{"auth block", kConnectorAuthKeys};

constexpr Key kActionKeys[] = {
    {"name", identifier, "name of the action", kRequired},
    {"displayName", string, "label that people see"},
    {"method", string, "HTTP method", kRequired, nullptr, kHttpMethods},
    {"path", string, "path below the base URL; {prop} becomes the value of a property", kRequired},
    {"props", any_map,
     "JSON Schema of the properties; those not in the path become the query "
     "(GET, DELETE) or the JSON body"},
};
constexpr Shape kAction{"action", kActionKeys};

constexpr Key kIntegrationKeys[] = {
    {"id", identifier, "name of the integration", kRequired},
    {"displayName", string, "label that people see"},
    {"baseUrl", string, "http or https address before every path", kRequired},
    {"auth", object, "how calls authenticate; default not at all", kOptional, &kConnectorAuth},
    {"actions", objects, "actions that can be called", kRequired, &kAction},
};
constexpr Shape kIntegration{"integration", kIntegrationKeys};

constexpr Key kMcpKeys[] = {
    {"id", identifier, "name of the server; its tools are mcp_<id>_<tool>", kRequired},
    {"url", string, "http or https address of the server", kRequired},
    {"auth", object, "how calls authenticate; default not at all", kOptional, &kConnectorAuth},
    {"pin", flag,
     "tools stay as they were at the first listing after an apply; changed ones are refused; "
     "default false"},
};
constexpr Shape kMcp{"tool server", kMcpKeys};

constexpr Key kAllowKeys[] = {
    {"action", string, "<integration>/<action> or mcp_<server>_<tool>", kRequired},
    {"to", string_or_strings, "principals that may call it; default: every holder of a key"},
};
constexpr Shape kAllow{"allowed call", kAllowKeys};

constexpr Key kConnectorKeys[] = {
    {"integrations", objects, "HTTP services and their actions", kOptional, &kIntegration},
    {"mcp", objects, "servers of tools (Model Context Protocol)", kOptional, &kMcp},
    {"allow", grants,
     "<integration>/<action> and mcp_<server>_<tool> that callers may use; default none", kOptional,
     &kAllow},
};

constexpr Key kProviderKeys[] = {
    {"id", identifier, "name of the provider; \"methods\" lists it as oidc:<id>", kRequired},
    {"label", string, "label that people see"},
    {"issuer", string, "https address of an OpenID Connect issuer"},
    {"preset", string, "known provider, instead of \"issuer\"", kOptional, nullptr, kPresets},
    {"clientId", string, "client id at the provider", kRequired},
    {"clientSecret", secret, "secret:NAME with the client secret", kRequired},
    {"scopes", strings, "scopes to ask for; default openid email profile"},
};

}  // namespace

constinit const Shape kPayments{"payments block", kPaymentKeys};
constinit const Shape kFiles{"files block", kFileKeys};
constinit const Shape kAi{"AI block", kAiKeys};
constinit const Shape kConnectors{"connectors block", kConnectorKeys};
constinit const Shape kProvider{"provider", kProviderKeys, kIssuerOrPreset};

}  // namespace svc::contract
