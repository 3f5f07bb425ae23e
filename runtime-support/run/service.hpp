// What a step asks of somebody outside the database, what came of it, and who does it.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>

#include "http/task.hpp"
#include "json/value.hpp"

namespace svc::run {

// As svc.advance and svc.run_function answer it.
struct Asked {
    std::string path;  // of the step in its run
    std::string kind;  // http, connector, mcp, ai, embed
    std::string idempotency_key;
    std::int64_t attempt = 1;
    std::int64_t timeout = 0;  // seconds; 0: none is said
    json::Value request;       // an object of the kind's own
    json::Value secrets;       // of http: names of secrets by header
    json::Value accept;        // of http: statuses that are no failure
};

struct Came {
    std::string output;       // JSON; where `error` is empty
    std::string error, code;  // in words, for who operates the app; without any secret
    bool retryable = false;
    std::optional<std::int64_t> retry_after = {};  // seconds
};

// May be asked the same again, with the same key, where a server died meanwhile. Never throws.
class Service {
  public:
    virtual ~Service() = default;
    virtual Task<Came> perform(Asked asked) = 0;
};

// By kind of step. They outlive whoever asks them.
using Services = std::map<std::string, Service*, std::less<>>;

// What no service does, nobody does: a failure for good.
Task<Came> perform(const Services& services, Asked asked);

// Of the object that names a step outside.
Asked read_asked(const json::Value& answer);
// What svc.advance and svc.run_function take for the step's end, as JSON.
std::string result_of(std::string_view path, const Came& came);

}  // namespace svc::run
