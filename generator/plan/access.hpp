// Access to rows: as predicates, as the runtime's bits. access/policies.hpp has it as policies.
#pragma once

#include <string>
#include <vector>

#include "model/model.hpp"
#include "plan/principals.hpp"
#include "plan/sql/expr.hpp"

namespace svc::plan {

enum class Operation { read, create, update, remove };

// Every grant of an operation, including the default grants of an entity without an access block.
std::vector<model::Grant> grants(const model::Entity& entity, Operation operation);
// The denials of whole rows. Denials of some fields of update are separate.
std::vector<model::Grant> denied(const model::Access& access, Operation operation);
std::vector<model::Grant> denied_fields(const model::Access& access);

// same_as: the entity whose row decides, and what is needed of it there.
const model::Entity& decided_by(const model::Model& model, const model::Entity& entity);
Operation needed_above(Operation operation);
// True if the operation also needs read, because a row that cannot be read cannot be changed or
// deleted.
bool reads_apart(const model::Entity& entity, Operation operation);

// The caller may do this to the row at hand, as SQL that is true exactly if it holds; update and
// remove only what they read. Everything is written out, parents included, so it means the same
// with the owner's rights as with the caller's.
std::string access_predicate(const model::Model& model, const model::Entity& entity,
                             Operation operation, const Scope& scope);

// The owner of a new row, as SQL: the trigger stamps it, and policies check it.
inline constexpr const char* kStampedUser = "svc.user_id()";
inline constexpr const char* kStampedOrg = "svc.claim('org')::uuid";

// The condition on the owner of a new row, joined to that of create: " and (user_id …"; empty if it
// has none. `row` prefixes its columns.
std::string stamp_predicate(const model::Entity& entity, const std::string& row);

// The principals with any grant for the operation, for the runtime's early refusal.
PrincipalBits access_bits(const model::Model& model, const model::Entity& entity,
                          Operation operation);
// The principals that a denial without a condition excludes. A caller may have one of these and one
// of the principals above.
PrincipalBits denied_bits(const model::Model& model, const model::Entity& entity,
                          Operation operation);
// The principals in words: "customer (some rows), staff".
std::string access_words(const model::Model& model, const model::Entity& entity,
                         Operation operation);

}  // namespace svc::plan
