// Principals as the runtime's bits and as SQL tests. The bits are those of svc/sets.hpp.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "model/model.hpp"

namespace svc::plan {

using PrincipalBits = std::uint64_t;
inline constexpr PrincipalBits kServerBit = 1U << 4;

PrincipalBits bits(const model::Model& model, const model::Principal& principal);
PrincipalBits bits(const model::Model& model, const std::vector<model::Grant>& grants);
PrincipalBits bits(const model::Model& model, const std::vector<model::Principal>& principals);
// The principals of a field's `read` or `write` list: these personas and the server.
PrincipalBits persona_bits(const model::Model& model, const std::vector<std::string>& ids);

// The principal as contracts write it: clerk, org:owner, *.
std::string principal_name(const model::Principal& principal);

// Everything that an account of this persona is: bits, and names for policies.
PrincipalBits all_bits(const model::Model& model, const model::Persona& persona);
std::string all_names(const model::Persona& persona);

// (select svc.acts_as('clerk', 'manager')); empty for everyone. The sub-select is evaluated once a
// statement instead of once a row. `caller`: as in Scope.
std::string acts_as(const std::vector<model::Principal>& principals,
                    const std::string& caller = {});

}  // namespace svc::plan
