// Contract -> Model.
#pragma once

#include <optional>

#include "contract/contract.hpp"
#include "diag/finding.hpp"
#include "model/model.hpp"

namespace svc::model {

struct Resolved {
    std::optional<Model> model;  // where no error is and nothing is in doubt
    Model draft;                 // where one has: what could be resolved; its names are whole
    diag::Findings findings;     // not located yet
};

// What a mistake has left without meaning is passed over: it has its finding.
Resolved resolve(const contract::Contract& contract);

}  // namespace svc::model
