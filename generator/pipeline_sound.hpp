// What of a contract with mistakes is sound, so that it can be told about as if there were none.
#pragma once

#include <set>
#include <string>

#include "contract/contract.hpp"
#include "diag/finding.hpp"
#include "model/model.hpp"
#include "plan/plan.hpp"

namespace svc::pipeline {

class Sound {
  public:
    // `draft` is made of `contract`; `findings` are all so far.
    Sound(const contract::Contract& contract, const model::Model& draft,
          const diag::Findings& findings);

    // No mistake stands in what the entity's table is made of.
    bool is_sound(const model::Entity& entity) const;
    // No mistake stands in what access and rules are made of, and none has taken a part of them.
    bool entities() const;
    // Nor in what pages and flows are made of.
    bool all_but_settings() const;

    // The tables, queries and patterns that are sound, of which queries can be proved.
    plan::Plan plan() const;

  private:
    bool errors_within(const std::set<std::string>& parts) const;

    const contract::Contract& contract_;
    const model::Model& draft_;
    const diag::Findings& findings_;
    std::set<std::string> wrong_;       // parts of the contract that errors stand in: entities
    std::set<std::string> unsound_;     // paths of entities whose tables they stand in
    std::multiset<std::string> names_;  // of entities
};

}  // namespace svc::pipeline
