// Finds the route of a path and method: a tree of path segments, built once at the start.
#pragma once

#include <array>
#include <memory>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "route/endpoint.hpp"

namespace svc::route {

class Router {
  public:
    explicit Router(std::vector<Endpoint> endpoints);

    struct Match {
        const Endpoint* endpoint = nullptr;  // null: no such path, or not with this method
        std::string_view id;                 // the segment at <id> or the rest at <path>, as sent
        std::string_view allow;              // the path's methods; empty: no such path
        bool data = false;  // a route of the data API, also where its method is another
        // The endpoint of the path that has Endpoint::options, for any method.
        const Endpoint* options = nullptr;
    };
    // Views into `path` and the router. HEAD is answered as GET. A path that has routes of its own
    // comes before `<path>` above it.
    Match match(std::string_view method, std::string_view path) const;

    // Endpoint::credentials_in_query of the path's reading route.
    bool credentials_in_query(std::string_view path) const;
    // True for a path at or below the fixed part of a route with a kept address.
    bool is_kept_address(std::string_view path) const;
    // True if the segment after the fixed part is `project`.
    bool is_kept_address_of(std::string_view path, std::string_view project) const;

  private:
    static constexpr std::size_t kMethods = 4;
    struct Node {
        std::unordered_map<std::string_view, std::unique_ptr<Node>> named;
        std::unique_ptr<Node> any, rest;  // <id>, <path>
        std::array<const Endpoint*, kMethods> methods = {};
        const Endpoint *every = nullptr, *options = nullptr;
        std::string allow;
        bool data = false;
    };
    struct Found {
        const Node* node = nullptr;
        std::string_view id;
    };
    Node* make(std::string_view path);
    void add(const Endpoint& endpoint);
    Found find(std::string_view path) const;

    const std::vector<Endpoint> endpoints_;
    Node root_;
    std::vector<std::string_view> kept_;  // the fixed parts of kept addresses
};

}  // namespace svc::route
