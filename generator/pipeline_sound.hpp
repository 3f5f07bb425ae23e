// The valid parts of a contract with mistakes. They are checked as if there were no mistakes.
#pragma once

#include <set>
#include <string>

#include "contract/contract.hpp"
#include "diag/finding.hpp"
#include "model/model.hpp"
#include "plan/plan.hpp"

namespace svc::pipeline {

class SoundParts {
  public:
    // `draft` is made of `contract`; `findings` are all so far.
    SoundParts(const contract::Contract& contract, const model::Model& draft,
               const diag::Findings& findings);

    // True if the parts that make the entity's table have no mistake.
    bool is_sound(const model::Entity& entity) const;
    // True if the parts that make access and rules have no mistake, and none of them was left out.
    bool entities() const;
    // True if pages and flows have no mistake either.
    bool all_but_settings() const;

    // The tables, queries and patterns that are sound, of which queries can be proved.
    plan::Plan plan() const;

  private:
    bool errors_within(const std::set<std::string>& parts) const;

    const contract::Contract& contract_;
    const model::Model& draft_;
    const diag::Findings& findings_;
    std::set<std::string> wrong_;       // parts of the contract with errors: entities
    std::set<std::string> unsound_;     // paths of entities with errors in their tables
    std::multiset<std::string> names_;  // of entities
};

}  // namespace svc::pipeline
