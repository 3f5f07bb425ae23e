// The closed list of codes that a step fails with, beside those of http/error.hpp; and
// HTTP_<status> of another service. Source: docs/http/app.md, the codes of runs.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

#include "base/words.hpp"
#include "http/error.hpp"

namespace svc::run {

enum class StepCode : std::uint8_t {
    no_answer,        // of another service
    request_refused,  // the database gave no request that can be read
    method_refused,
    url_refused,
    header_refused,
    secret_missing,
    secret_not_for_host,
    step_unknown,      // this server has no such kind of step
    execution_failed,  // an action of an integration
    mcp_tool_error,
    ai_answer_invalid,
};

}  // namespace svc::run

template <>
struct svc::base::Words<svc::run::StepCode> {
    static constexpr std::array<std::string_view, 11> kAll = {
        "NO_ANSWER",        "REQUEST_REFUSED", "METHOD_REFUSED",      "URL_REFUSED",
        "HEADER_REFUSED",   "SECRET_MISSING",  "SECRET_NOT_FOR_HOST", "STEP_UNKNOWN",
        "EXECUTION_FAILED", "MCP_TOOL_ERROR",  "AI_ANSWER_INVALID"};
};

namespace svc::run {

// Further codes that the database gives to runs (schema/run/advance.sql, schema/run/effects.sql, …)
// if the contract, the rows or other runs are the cause.
enum class RunCode : std::uint8_t {
    failed,  // by a step `fail`
    call_depth,
    actor_gone,
    loop,  // a chain of runs that start each other
    skipped,
    replaced,  // by a newer run
};

}  // namespace svc::run

template <>
struct svc::base::Words<svc::run::RunCode> {
    static constexpr std::array<std::string_view, 6> kAll = {"FAILED", "CALL_DEPTH", "ACTOR_GONE",
                                                             "LOOP",   "SKIPPED",    "REPLACED"};
};

namespace svc::run {

// A code of either list.
struct FailureCode {
    std::string_view name;

    FailureCode(Code code) : name(svc::name(code)) {}
    FailureCode(StepCode code) : name(base::word(code)) {}
};

}  // namespace svc::run
