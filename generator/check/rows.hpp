// Every caller that the contract can distinguish, and the rows that each of them reaches.
#pragma once

#include <string>
#include <vector>

#include "check/exposure/exposure.hpp"
#include "check/formula/condition.hpp"
#include "model/model.hpp"
#include "plan/access.hpp"
#include "plan/principals.hpp"

namespace svc::check {

struct KnownCaller {
    Caller caller;
    plan::PrincipalBits bits = 0;
    KnownUser user;
};

// Guests, personas, roles, personas with roles, the server; in this order.
std::vector<KnownCaller> callers(const model::Model& model);

// The rows of one entity for one caller. It means the same as access_predicate() in
// plan/access.cpp.
class Rows {
  public:
    Rows(const model::Model& model, const KnownCaller& known) : model_(model), known_(known) {}

    Formula allowed(const model::Entity& entity, plan::Operation operation,
                    const std::string& prefix) const;
    // The rows on which it is allowed and which the caller can read, because a row that cannot be
    // read cannot be written.
    Formula reached(const model::Entity& entity, plan::Operation operation,
                    const std::string& prefix) const {
        Formula out = allowed(entity, operation, prefix);
        const bool needs_read =
            operation == plan::Operation::update || operation == plan::Operation::remove;
        if (!needs_read || out.is_no()) return out;
        return both(allowed(entity, plan::Operation::read, prefix), out);
    }
    Formula granted(const std::vector<model::Grant>& grants, const std::string& prefix) const;
    // The rows of `all` (which update reaches) in which this column may change. Grants and denials
    // of some fields only: the trigger in plan/write/field_triggers.cpp holds them.
    Formula changed(const model::Entity& entity, const std::string& column,
                    const Formula& all) const;
    bool is_meant(plan::PrincipalBits who) const { return (who & known_.bits) != 0; }
    Formula holds(const model::ExprPtr& expr, const std::string& prefix) const {
        return condition(model_, expr, &known_.user, prefix);
    }

  private:
    Formula parent(const model::Entity& entity, plan::Operation operation,
                   const std::string& prefix) const;

    const model::Model& model_;
    const KnownCaller& known_;
};

// True if a new row can be sent with this field, as ServedColumn::creators says.
bool may_send(const model::Model& model, const model::Field& field, const KnownCaller& known);
bool may_see(const model::Model& model, const model::Field& field, const KnownCaller& known);

}  // namespace svc::check
