#include "ops/router.hpp"

#include <algorithm>
#include <optional>

namespace svc::ops {
namespace {

// Takes the first segment off a path that begins with '/'.
std::string_view take_segment(std::string_view& path) {
    path.remove_prefix(1);
    const std::string_view segment = path.substr(0, path.find('/'));
    path.remove_prefix(segment.size());
    return segment;
}

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

Router::Node* Router::make(std::string_view path) {
    Node* node = &root_;
    while (path.starts_with('/')) {
        const std::string_view segment = take_segment(path);
        auto& next = segment == "<id>" ? node->any : node->named[segment];
        if (!next) next = std::make_unique<Node>();
        node = next.get();
    }
    return node;
}

void Router::add(Method method, std::string_view path, Endpoint endpoint) {
    Node* node = make(path);
    node->endpoints[static_cast<std::size_t>(method)] = endpoint;
    if (!node->allow.empty()) node->allow += ", ";
    node->allow += names_of(method);
}

Router::Match Router::match(std::string_view method, std::string_view path) const {
    const Node* node = &root_;
    Match match;
    while (node && path.starts_with('/')) {
        const std::string_view segment = take_segment(path);
        const auto named = node->named.find(segment);
        if (named != node->named.end()) {
            node = named->second.get();
        } else {
            match.id = segment;
            node = segment.empty() ? nullptr : node->any.get();
        }
    }
    if (!node || !path.empty() || node->allow.empty()) return {};
    match.allow = node->allow;
    const auto index = method_of(method);
    if (!index) return match;
    const Endpoint& endpoint = node->endpoints[static_cast<std::size_t>(*index)];
    if (endpoint.data || endpoint.account) match.endpoint = &endpoint;
    return match;
}

}  // namespace svc::ops
