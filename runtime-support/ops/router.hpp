// Which route a path and method lead to: a tree of path segments, built once at the start.
#pragma once

#include <array>
#include <memory>
#include <string>
#include <string_view>
#include <unordered_map>

#include "auth/context.hpp"
#include "svc/app.hpp"

namespace svc::ops {

// One of the two.
struct Endpoint {
    const Route* data = nullptr;
    const auth::AuthRoute* account = nullptr;
};

class Router {
  public:
    // Every path is below /__svc; `<id>` in it stands for one segment. Paths must outlive the
    // router.
    void add(Method method, std::string_view path, Endpoint endpoint);

    struct Match {
        const Endpoint* endpoint = nullptr;  // null: no such path, or not with this method
        std::string_view id;                 // the segment at <id>, as sent
        std::string_view allow;              // the path's methods; empty: no such path
    };
    // Views into `path` and the router. HEAD is answered as GET.
    Match match(std::string_view method, std::string_view path) const;

  private:
    static constexpr std::size_t kMethods = 4;
    struct Node {
        std::unordered_map<std::string_view, std::unique_ptr<Node>> named;
        std::unique_ptr<Node> any;
        std::array<Endpoint, kMethods> endpoints;
        std::string allow;
    };
    Node* make(std::string_view path);

    Node root_;
};

}  // namespace svc::ops
