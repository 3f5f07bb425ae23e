// Values of functions and workflows as SQL over the context (context_path.hpp).
#pragma once

#include <string>
#include <vector>

#include "model/model.hpp"
#include "plan/sql/expr.hpp"

namespace svc::plan {

// An expression as jsonb: rows and lists too.
std::string json_of(const model::Expr& expr, const Scope& scope);
// A value as jsonb; null: SQL's null.
std::string json_of(const model::FlowValue& value, const Scope& scope);
// jsonb_build_object('a', …, 'b', …)
std::string json_object(const std::vector<model::FlowMemberValue>& members, const Scope& scope);
// jsonb_build_array(…)
std::string json_array(const std::vector<std::string>& parts);

// A value where a column of that field takes it: in an insert, an update or a comparison.
std::string column_value(const model::FlowValue& value, const model::Field& field,
                         const Scope& scope);
// The elements that a step is repeated for, as a jsonb array: never null.
std::string elements_of(const model::Expr& list, const Scope& scope);

// Parts of jsonb_build_object: "'name', value". Their number is not limited.
class JsonMembers {
  public:
    void add(const std::string& name, const std::string& value);
    std::string sql() const;

  private:
    std::vector<std::string> parts_;
};

}  // namespace svc::plan
