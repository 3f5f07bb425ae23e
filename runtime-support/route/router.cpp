#include "route/router.hpp"

#include <algorithm>
#include <optional>

#include "http/request/path.hpp"

namespace svc::route {
namespace {

// Takes the first segment off a path that begins with '/'.
std::string_view take_segment(std::string_view& path) {
    path.remove_prefix(1);
    const std::string_view segment = path.substr(0, path.find('/'));
    path.remove_prefix(segment.size());
    return segment;
}

// The part of a path before its first placeholder: "/hooks" of "/hooks/<path>".
std::string_view fixed_part(std::string_view path) { return path.substr(0, path.find("/<")); }

std::optional<Method> method_of(std::string_view name) {
    if (name == "GET" || name == "HEAD") return Method::get;
    if (name == "POST") return Method::post;
    if (name == "PATCH") return Method::patch;
    if (name == "DELETE") return Method::remove;
    return std::nullopt;
}

std::string_view names_of(Method method) {
    switch (method) {
        case Method::get:
            return "GET, HEAD";
        case Method::post:
            return "POST";
        case Method::patch:
            return "PATCH";
        case Method::remove:
            return "DELETE";
    }
    return {};
}

}  // namespace

Router::Router(std::vector<Endpoint> endpoints) : endpoints_(std::move(endpoints)) {
    for (const Endpoint& endpoint : endpoints_) add(endpoint);
}

Router::Node* Router::make(std::string_view path) {
    Node* node = &root_;
    while (path.starts_with('/')) {
        const std::string_view segment = take_segment(path);
        auto& next = segment == "<id>"     ? node->any
                     : segment == "<path>" ? node->rest
                                           : node->named[segment];
        if (!next) next = std::make_unique<Node>();
        node = next.get();
    }
    return node;
}

void Router::add(const Endpoint& endpoint) {
    Node* node = make(endpoint.path);
    node->data = node->data || endpoint.entry == Entry::data;
    if (endpoint.options) node->options = &endpoint;
    if (endpoint.kept_address) kept_.push_back(fixed_part(endpoint.path));
    if (!endpoint.method) {
        node->every = &endpoint;
        return;
    }
    node->methods[static_cast<std::size_t>(*endpoint.method)] = &endpoint;
    if (!node->allow.empty()) node->allow += ", ";
    node->allow += names_of(*endpoint.method);
}

Router::Found Router::find(std::string_view path) const {
    const Node* node = &root_;
    Found found, rest;
    while (node && path.starts_with('/')) {
        if (node->rest && path.size() > 1) rest = {node->rest.get(), path.substr(1)};
        const std::string_view segment = take_segment(path);
        const auto named = node->named.find(segment);
        if (named != node->named.end()) {
            node = named->second.get();
        } else {
            found.id = segment;
            node = segment.empty() ? nullptr : node->any.get();
        }
    }
    const bool serves = node && path.empty() && (node->every || !node->allow.empty());
    if (!serves) return rest;
    found.node = node;
    return found;
}

Router::Match Router::match(std::string_view method, std::string_view path) const {
    const Found found = find(path);
    if (!found.node) return {};
    Match match{found.node->every, found.id, found.node->allow, found.node->data,
                found.node->options};
    if (const auto index = method_of(method))
        if (const Endpoint* one = found.node->methods[static_cast<std::size_t>(*index)])
            match.endpoint = one;
    return match;
}

bool Router::credentials_in_query(std::string_view path) const {
    const Endpoint* endpoint = match("GET", path).endpoint;
    return endpoint && endpoint->credentials_in_query;
}

bool Router::is_kept_address(std::string_view path) const {
    return std::ranges::any_of(
        kept_, [path](std::string_view fixed) { return http::below(path, fixed).has_value(); });
}

bool Router::is_kept_address_of(std::string_view path, std::string_view project) const {
    return !project.empty() && std::ranges::any_of(kept_, [&](std::string_view fixed) {
        const auto rest = http::below(path, fixed);
        return rest && rest->starts_with('/') && http::below(rest->substr(1), project);
    });
}

}  // namespace svc::route
