#include "base/sql_state.hpp"

#include <algorithm>
#include <array>

namespace svc::base::sqlstate {
namespace {

// Whole states, or what a class of them begins with.
template <std::size_t n>
bool is_among(std::string_view state, const std::array<std::string_view, n>& listed) {
    return std::ranges::any_of(listed, [&](auto one) { return state.starts_with(one); });
}

constexpr std::array<std::string_view, 3> kLost = {"08", kTooManyConnections,
                                                   "57P"};  // shut down, not up yet
constexpr std::array kBusy = {kNotSerializable, kDeadlock, kLocked};
constexpr std::array<std::string_view, 6> kOfValues = {
    kTooManyRows, kNull, kCheck, kNoColumn,
    "22",  // values
    "54"   // limits of PostgreSQL
};
constexpr std::array<std::string_view, 12> kOfStatements = {
    "0A",  // not supported
    "10",  // XQuery
    "24",  // state of a cursor
    "25",  // state of the transaction
    "34",  // name of a cursor
    "3F",  // name of a schema
    "42",  // syntax, names and types
    "44",  // WITH CHECK OPTION
    kOutOfMemory, kOverLimit,
    "55000",  // not as it stands, as currval() before nextval()
    kCanceled};
constexpr std::array<std::string_view, 12> kOfMachines = {"08",  // connection
                                                          "25",  // state of the transaction
                                                          "28",  // authorization
                                                          "3D",  // name of the database
                                                          "53",  // resources
                                                          "55",  // not as it stands
                                                          "57",  // intervention
                                                          "58",  // system
                                                          "72",  // snapshot
                                                          "F0",  // configuration
                                                          "XX",  // PostgreSQL itself
                                                          kForbidden};

}  // namespace

bool is_lost(std::string_view state) { return is_among(state, kLost); }

bool is_busy(std::string_view state) { return is_among(state, kBusy); }

bool is_passing(std::string_view state) {
    const bool unwell = state.starts_with("53") || state.starts_with("58");  // resources, system
    return is_lost(state) || is_busy(state) || (unwell && state != kOverLimit);
}

bool is_of_data(std::string_view state) { return state.starts_with("22"); }

bool is_of_limit(std::string_view state) { return state.starts_with("54"); }

bool is_of_value(std::string_view state) { return is_among(state, kOfValues); }

bool is_of_statement(std::string_view state) { return is_among(state, kOfStatements); }

bool is_of_names(std::string_view state) { return state.starts_with("42"); }

bool is_of_constraint(std::string_view state) { return state.starts_with("23"); }

bool is_of_machine(std::string_view state) { return state.empty() || is_among(state, kOfMachines); }

bool is_ours(std::string_view state) { return state.starts_with("SV"); }

}  // namespace svc::base::sqlstate
