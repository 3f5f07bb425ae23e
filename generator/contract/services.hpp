// The services of an app beside its data: payments, files, AI, connectors, providers of sign-in.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "contract/text.hpp"
#include "contract/value.hpp"

namespace svc::contract {

struct Provider {
    Text id, label;
    std::optional<Text> issuer, preset;
    Text client_id, client_secret;
    Texts scopes;
    std::string path;
};

struct Payments {
    Text order, lines, link, quantity, item, price;
    std::optional<Texts> methods;
    Texts settle;
    Text instructions;
    std::string path;
};

struct Files {
    std::optional<Text> max_size;
    std::optional<Texts> mime;
    std::optional<Text> user_quota, project_quota;
};

struct Ai {
    std::optional<Text> model, embed_model, system;
    std::optional<Value> max_input_chars, max_output_tokens, per_user_daily, per_project_daily;
    std::optional<Texts> models;
    std::string path;
};

struct ConnectorAuth {
    Text type, secret;
    std::optional<Text> name, user;
    std::string path;
};

struct Action {
    Text name, label, method, url_path;
    std::optional<Value> props;  // JSON Schema
    std::string path;
};

struct Integration {
    Text id, label, base_url;
    std::optional<ConnectorAuth> auth;
    std::vector<Action> actions;
    std::string path;
};

struct McpServer {
    Text id, url;
    std::optional<ConnectorAuth> auth;
    bool pin = false;
    std::string path;
};

// A call that is allowed from outside; without `to`, every holder of a key may make it.
struct AllowedCall {
    Text action;
    std::optional<Texts> to;
};

struct Connectors {
    std::vector<Integration> integrations;
    std::vector<McpServer> mcp;
    std::vector<AllowedCall> allow;
};

struct Services {
    std::optional<Payments> payments;
    std::optional<Files> files;
    std::optional<Ai> ai;
    std::optional<Connectors> connectors;
};

}  // namespace svc::contract
