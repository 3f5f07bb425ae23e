// The routes of the developer API as data: who may call them, and what answers.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "http/dev_request.hpp"

namespace svc::devapi {

enum class Need {
    nothing,  // no credential
    any,      // a session or a token
    apply,    // a session, or a token with this scope
    deploy,
    session,  // a builder session alone
    read,
    // apply on dev, deploy on prod: the handler asks, once it knows the environment
    // (calls/environment.hpp)
    change,
    // read for what reads, as above for what changes something: the handler asks for both
    read_or_change,
};

// The route's name in tests and tools.
std::string_view name(Need need);

struct Context;

using Handler = void (*)(Context& context, const Request& request, Response& response);

struct Route {
    std::string_view method;
    std::string_view pattern;  // /projects/:id/keys/:key
    Need need = Need::any;
    Role role = Role::viewer;  // least role in the project's workspace; below /projects/:id only
    Handler handler = nullptr;
    std::size_t body_limit = 64 * 1024;
    bool streams = false;  // answers an event stream where the client asks for one
    bool follows = false;  // and that for as long as somebody listens
    bool reads = false;    // changes nothing although it is not a GET: the audit leaves it out
    bool shows = false;    // people or their rows: the audit has who read them in prod
    std::vector<std::string_view> params = {};  // of the query string: those that it takes

    bool has_project() const { return pattern.starts_with("/projects/:id"); }
};

struct Match {
    const Route* route = nullptr;
    std::map<std::string, std::string, std::less<>> params;
    std::string allow;  // where only the method is wrong: those that are right
};

class RouteTable {
  public:
    // `params`: the query parameters that the route takes; others are refused.
    void add(Route route, std::vector<std::string_view> params = {}) {
        route.params = std::move(params);
        routes_.push_back(std::move(route));
    }
    // `path` is decoded (http/request/path.hpp).
    Match find(std::string_view method, std::string_view path) const;
    const std::vector<Route>& routes() const { return routes_; }

  private:
    std::vector<Route> routes_;
};

}  // namespace svc::devapi
