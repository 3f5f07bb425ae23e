// The services of an app beside its data: payments, files, AI, connectors, providers of sign-in.
// Entities and fields are indexes in Model::entities and Entity::fields; secrets are names, without
// "secret:".
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "model/access/principal.hpp"
#include "model/expr/expr.hpp"

namespace svc::model {

// Sign-in by OpenID Connect.
struct Provider {
    std::string id, label;
    std::string issuer, preset;  // exactly one of them
    std::string client_id, client_secret;
    std::vector<std::string> scopes;
};

struct Payments {
    std::size_t order = 0, lines = 0, catalogue = 0;  // entities
    std::size_t link = 0, quantity = 0, item = 0;     // fields of lines
    std::size_t price = 0;                            // field of the catalogue
    bool price_in_cents = false;                      // else in whole currency units
    bool offline = true, card = true;
    std::vector<Principal> settle;  // who may say that an order was paid offline
    std::string instructions;       // how to pay offline; empty: not said
};

struct Files {
    std::uint64_t max_size = 25ULL << 20;  // bytes
    std::vector<std::string> mime;         // image/png, image/*; never empty
    // The quotas of one account and of all together, in bytes; 0: none.
    std::uint64_t user_quota = 0, project_quota = 0;
};

struct Ai {
    bool present = false;                    // the contract has the block
    std::string model, embed_model, system;  // empty: not given
    std::uint32_t max_input_chars = 100'000;
    std::uint32_t max_output_tokens = 4096;
    std::optional<std::uint32_t> per_user_daily, per_project_daily;  // tokens
    std::vector<std::string> models;                                 // those that may be asked
};

struct ConnectorAuth {
    enum class Type { none, bearer, header, basic } type = Type::none;
    std::string secret;
    std::string name;  // header
    std::string user;  // basic
};

// A property that an action's JSON Schema declares; json if it is not of one plain type.
struct ActionProp {
    std::string name;
    ExprType type = ExprType::json;
    bool required = false;
};

struct Action {
    std::string name, label;
    std::string method;                     // GET, POST, PUT, PATCH, DELETE
    std::string url_path;                   // begins with a slash; {name} is the property's value
    std::vector<std::string> placeholders;  // those names, each once
    std::vector<ActionProp> props;          // in the author's order
    bool closed = false;                    // additionalProperties is false: no others may be sent
    std::string schema;                     // JSON text; empty if there is none
};

struct Integration {
    std::string id, label;
    std::string base_url;  // without a slash at its end
    ConnectorAuth auth;
    std::vector<Action> actions;
};

struct McpServer {
    std::string id, url;
    ConnectorAuth auth;
    bool pin = false;  // its tools stay as they were at the apply
};

// A call that is allowed from outside; without `to`, to every holder of a key.
struct AllowedCall {
    std::string name;  // <integration>/<action>, mcp_<server>_<tool>
    std::optional<std::vector<Principal>> to;
};

struct Connectors {
    std::vector<Integration> integrations;
    std::vector<McpServer> mcp;
    std::vector<AllowedCall> allow;
};

}  // namespace svc::model
