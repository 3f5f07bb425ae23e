// Whoever sees another row, or no longer sees it, because a row of another table changed is among
// those whom the looks of the policy name (plan/access/read_look.hpp).
#pragma once

#include "backends.hpp"
#include "dice.hpp"
#include "plan/access/read_look.hpp"

namespace svc::differential {

class LookTrials {
  public:
    // All outlive it.
    LookTrials(const model::Model& model, const plan::Plan& plan, World& world,
               const std::vector<Person>& people, Dice& dice)
        : model_(model), plan_(plan), world_(world), people_(people), dice_(dice) {}

    // Random policies, each with a few random changes. True if all hold.
    bool run(std::size_t policies);

  private:
    void grant_shelves();
    Written random_policy();
    std::string random_change();
    bool holds(const Case& one, const std::vector<Change>& changes,
               const std::vector<Answers>& before);
    bool is_named(const std::vector<plan::ReadLook>& looks, const std::vector<Change>& changes,
                  const Person& person) const;
    bool names(const plan::ReadLook& look, const Change& change, const Person& person) const;
    std::vector<Answers> ask(const Case& one);

    model::Model model_;
    const plan::Plan& plan_;
    World& world_;
    const std::vector<Person>& people_;
    Dice& dice_;
    std::size_t changes_ = 0, moved_ = 0, named_ = 0, spared_ = 0;
};

}  // namespace svc::differential
