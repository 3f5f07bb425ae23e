// Payments, files, AI, connectors and providers of sign-in.
#include "contract/key_shapes.hpp"

namespace svc::contract {
namespace {

using enum KeyKind;

constexpr std::string_view kPaymentMethods[] = {"offline", "card"};
constexpr std::string_view kAuthTypes[] = {"bearer", "header", "basic"};
constexpr std::string_view kHttpMethods[] = {"GET", "POST", "PUT", "PATCH", "DELETE"};
constexpr std::string_view kPresets[] = {"google", "github", "microsoft", "apple"};
constexpr std::string_view kIssuerOrPreset[] = {"issuer", "preset"};

constexpr Key kPaymentKeys[] = {
    {"order", string, "entity that is paid for", kRequired},
    {"lines", string, "entity of an order's lines", kRequired},
    {"link", string, "the lines' ref to the order", kRequired},
    {"quantity", string, "the lines' integer or number of pieces", kRequired},
    {"item", string, "the lines' ref to the entity that has the price", kRequired},
    {"price", string, "price of a piece: money in cents, number or decimal in whole units",
     kRequired},
    {"methods", strings, "ways to pay; both", kOptional, kRuns, nullptr, kPaymentMethods},
};

constexpr Key kFileKeys[] = {
    {"maxSize", size, "greatest size of a file, at most 1GB; 25MB"},
    {"mime", strings, "types that may be uploaded, as image/png or image/*; all that are known"},
};

constexpr Key kBudgetKeys[] = {
    {"perUserDaily", count, "tokens a user may spend in a day"},
    {"perProjectDaily", count, "tokens all users together, and guests, may spend in a day"},
};
constexpr Shape kBudget{"budget", kBudgetKeys};

constexpr Key kAiKeys[] = {
    {"model", string, "model that answers a chat"},
    {"embedModel", string, "model that makes vectors of texts"},
    {"system", string, "what every chat is told first"},
    {"maxInputChars", count, "greatest number of characters of all messages of a chat; 100000"},
    {"maxOutputTokens", count, "greatest length of an answer; 4096"},
    {"budget", object, "tokens that may be spent in a day", kOptional, kRuns, &kBudget},
    {"models", strings, "models that may be asked; none: the two above alone"},
};

constexpr Key kConnectorAuthKeys[] = {
    {"type", string, "bearer token, a header of its own, or basic", kRequired, kRuns, nullptr,
     kAuthTypes},
    {"secret", secret, "secret:NAME of the token, the header's value or the password", kRequired},
    {"name", string, "of header: its name"},
    {"user", string, "of basic: the user"},
};
constexpr Shape kConnectorAuth{"auth block", kConnectorAuthKeys};

constexpr Key kActionKeys[] = {
    {"name", identifier, "its name", kRequired},
    {"displayName", string, "its name for people"},
    {"method", string, "HTTP method", kRequired, kRuns, nullptr, kHttpMethods},
    {"path", string, "what is added to the base URL; {prop} is a property's value", kRequired},
    {"props", any_map,
     "JSON Schema of its properties; those in no hole of the path are the query "
     "of GET and DELETE, else the JSON body"},
};
constexpr Shape kAction{"action", kActionKeys};

constexpr Key kIntegrationKeys[] = {
    {"id", identifier, "its name", kRequired},
    {"displayName", string, "its name for people"},
    {"baseUrl", string, "http or https address that its paths are added to", kRequired},
    {"auth", object, "how calls are signed; none: they are not", kOptional, kRuns, &kConnectorAuth},
    {"actions", objects, "what can be called", kRequired, kRuns, &kAction},
};
constexpr Shape kIntegration{"integration", kIntegrationKeys};

constexpr Key kMcpKeys[] = {
    {"id", identifier, "its name: its tools are mcp_<id>_<tool>", kRequired},
    {"url", string, "http or https address of the server", kRequired},
    {"auth", object, "how calls are signed; none: they are not", kOptional, kRuns, &kConnectorAuth},
};
constexpr Shape kMcp{"tool server", kMcpKeys};

constexpr Key kConnectorKeys[] = {
    {"integrations", objects, "HTTP services and what can be called there", kOptional, kRuns,
     &kIntegration},
    {"mcp", objects, "tool servers (Model Context Protocol)", kOptional, kRuns, &kMcp},
    {"allow", strings, "<integration>/<action> that pages may call; none: no one may"},
};

constexpr Key kProviderKeys[] = {
    {"id", identifier, "its name: methods list it as oidc:<id>", kRequired},
    {"label", string, "its name for people"},
    {"issuer", string, "https address of an OpenID Connect issuer"},
    {"preset", string, "a known provider instead", kOptional, kRuns, nullptr, kPresets},
    {"clientId", string, "the client's id at the provider", kRequired},
    {"clientSecret", secret, "secret:NAME of the client's secret", kRequired},
    {"scopes", strings, "what is asked for; openid email profile"},
};

}  // namespace

constinit const Shape kPayments{"payments block", kPaymentKeys};
constinit const Shape kFiles{"files block", kFileKeys};
constinit const Shape kAi{"AI block", kAiKeys};
constinit const Shape kConnectors{"connectors block", kConnectorKeys};
constinit const Shape kProvider{"provider", kProviderKeys, kIssuerOrPreset};

}  // namespace svc::contract
