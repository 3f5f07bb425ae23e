// Functions and workflows as they are planned: definitions that the database interprets
// (runtime-support/schema/run/flows.sql), and what the server knows of them.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "model/expr/flow_type.hpp"
#include "plan/queries.hpp"

namespace svc::plan {

// A statement over the context, or a step that needs none.
struct FlowText {
    enum class Gives { json, boolean, text } gives = Gives::json;
    std::string what;    // "tell: notify", "if"; for readers
    unsigned depth = 0;  // of the step within branches
    std::string sql;     // empty: it needs none
    std::string path;    // in the contract
};

struct PlannedFlow {
    bool workflow = false;  // else a function
    std::string name;
    std::string source;      // svc.json#/workflows/0
    std::string starts;      // what starts it, in words; of a function: who may call it
    std::string runs_as;     // system, actor, persona:<id>
    std::string definition;  // JSON text
    std::string hash;        // SHA-256 of it, hex
    std::string trigger;     // JSON text; null of a function
    std::vector<std::string> who;
    std::uint64_t allow = 0;  // principals; of functions
    std::vector<QueryParam> params;
    bool any_input = false;                // a workflow that declares none: any object
    std::optional<model::FlowType> gives;  // of a function: its result
    // Set for a workflow that the clock starts.
    std::string cron, zone, catch_up;
    std::uint32_t every = 0;
    bool callable = false;  // by hand, or by the clock
    std::vector<FlowText> texts;
};

struct Flows {
    std::vector<PlannedFlow> all;  // functions first, in contract order
    std::string document;          // JSON text that svc.set_flows() takes: these, and the webhooks
    bool any() const { return !all.empty() || hooks; }
    bool hooks = false;
};

}  // namespace svc::plan
