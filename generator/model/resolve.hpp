// Contract -> Model.
#pragma once

#include <map>
#include <optional>
#include <string>

#include "contract/contract.hpp"
#include "diag/finding.hpp"
#include "model/flow/flow_type.hpp"
#include "model/model.hpp"

namespace svc::model {

struct Resolved {
    std::optional<Model> model;  // where no error is and nothing is in doubt
    Model draft;                 // where one has: what could be resolved; its names are whole
    diag::Findings findings;     // not located yet
};

// What rows of named queries have, by the query's name.
using QueryRows = std::map<std::string, std::vector<FlowMember>>;

// What a mistake has left without meaning is passed over: it has its finding. Rows of queries that
// are not in `rows` are JSON to the steps that read them: PostgreSQL tells their columns, and can
// do so only where a contract without mistakes says what tables it has.
Resolved resolve(const contract::Contract& contract, const QueryRows& rows = {});

}  // namespace svc::model
