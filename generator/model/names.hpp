// The rules for names, and the lookup of names.
#pragma once

#include <algorithm>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "base/parts.hpp"
#include "contract/contract.hpp"
#include "diag/finding.hpp"
#include "model/model.hpp"

namespace svc::model {

inline bool contains(const std::vector<std::string>& names, const std::string& name) {
    return std::find(names.begin(), names.end(), name) != names.end();
}

enum class NameKind { entity, field, foreign_field, relation, persona, integration, other };

// Names of one kind that live together. add() reports RESERVED_NAME if the compiler needs the name
// itself, and NAME_TAKEN if another name is the same after folding (order_line and orderline would
// both become names like OrderLine).
class NameTable {
  public:
    NameTable(NameKind kind, diag::Findings& findings) : kind_(kind), findings_(findings) {}

    bool add(const contract::Text& name);

  private:
    NameKind kind_;
    diag::Findings& findings_;
    std::vector<std::string> names_;
    std::set<std::string> folded_;
};

std::optional<std::size_t> find_field(const Entity& entity, const std::string& name);
std::optional<std::size_t> find_entity(const Model& model, const std::string& name);
std::optional<std::size_t> find_query(const Model& model, const std::string& name);
std::vector<std::string> field_names(const Entity& entity);
std::vector<std::string> entity_names(const Model& model);
std::vector<std::string> persona_names(const Model& model);

// Columns that the compiler makes: id, created_at, updated_at, and the owner's. External rows have
// only the owner's, because the type of their id is not known here.
std::vector<std::string> builtin_columns(const Entity& entity);

// product of product_id.
std::string without_id(const std::string& ref);

// "Order line" of order_line.
std::string words(const std::string& name);

// "did you mean \"x\"?", or `otherwise`.
std::string did_you_mean(const std::string& name, const std::vector<std::string>& candidates,
                         std::string otherwise = {});
// "a, b, c".
using base::joined;

}  // namespace svc::model
