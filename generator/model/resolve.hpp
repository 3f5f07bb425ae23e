// Contract -> Model.
#pragma once

#include <map>
#include <optional>
#include <string>

#include "contract/contract.hpp"
#include "diag/finding.hpp"
#include "model/expr/flow_type.hpp"
#include "model/model.hpp"

namespace svc::model {

struct Resolved {
    std::optional<Model> model;  // where no error is and nothing is in doubt
    Model draft;                 // where one has: what could be resolved; its names are whole
    diag::Findings findings;     // not located yet
};

// The columns of named queries, by the query's name.
using QueryRows = std::map<std::string, std::vector<FlowMember>>;

// Parts whose meaning is unknown because of a reported mistake are skipped. For steps, rows of
// queries that are not in `rows` are JSON: PostgreSQL finds their columns, and can do so only for a
// contract whose tables have no mistakes.
Resolved resolve(const contract::Contract& contract, const QueryRows& rows = {});

}  // namespace svc::model
