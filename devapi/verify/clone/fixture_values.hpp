// Values for the fields of fixtures: those that the contract names, their neighbours, and forms
// that the field's type has.
#pragma once

#include <map>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "model/model.hpp"
#include "verify/clone/clone_connection.hpp"

namespace svc::devapi::verification {

// Pseudo-random, with the same result each time.
struct Dice {
    std::mt19937 random{20261121};

    bool chance(unsigned one_in) { return random() % one_in == 0; }
    const std::string& one_of(const std::vector<std::string>& all) {
        return all[random() % all.size()];
    }
};

class FixtureValues {
  public:
    FixtureValues(const model::Model& model, CloneConnection& db, Dice& dice)
        : model_(model), db_(db), dice_(dice) {}

    // A value of the field in SQL, for the row of that number. A field that refers to rows,
    // accounts or files has none here.
    std::string made(std::size_t entity, std::size_t field, std::size_t row);

  private:
    std::string typed(const model::Field& field, std::size_t row);
    std::string text_value(const model::Field& field, std::size_t row);
    const std::vector<std::string>& values_of(std::size_t entity, std::size_t field);

    const model::Model& model_;
    CloneConnection& db_;
    Dice& dice_;
    std::map<std::pair<std::size_t, std::size_t>, std::vector<std::string>> pools_;
};

}  // namespace svc::devapi::verification
