// Contract -> Model.
#pragma once

#include <optional>

#include "contract/contract.hpp"
#include "diag/finding.hpp"
#include "model/model.hpp"

namespace svc::model {

struct Resolved {
    std::optional<Model> model;  // where there is no error
    diag::Findings findings;     // not located yet
};

Resolved resolve(const contract::Contract& contract);

}  // namespace svc::model
