// Everything that the steps of a function or workflow, and of the functions that it calls, may do:
// read from the contract.
#pragma once

#include <optional>
#include <set>
#include <string>
#include <vector>

#include "model/model.hpp"

namespace svc::devapi::verification {

struct Reach {
    bool fails = false;      // by a step's own words: fail, a call to others, a loop
    bool writes = false;     // rows
    bool moves = false;      // transitions
    bool as_caller = false;  // a step runs with somebody's rights
    std::set<std::size_t> functions, entities;  // that are called; whose rows are named
};

Reach reach_of(const model::Model& model, const std::vector<model::FlowStep>& steps,
               const model::RunAs& around);

struct ParamRow {
    std::size_t entity = 0;
    std::optional<std::size_t> transition;  // of the lifecycle, where the step makes one
};

// The row that a parameter of this name names, where a step changes that row.
std::optional<ParamRow> row_of_param(const model::Model& model,
                                     const std::vector<model::FlowStep>& steps,
                                     const std::string& param);

}  // namespace svc::devapi::verification
