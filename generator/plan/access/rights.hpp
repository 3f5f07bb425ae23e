// Statements by which pages ask, before they offer something, what their visitor may do: the very
// predicates of the policies, asked as the caller. None for rows of another database, which have no
// policies: their view asks at the write.
#pragma once

#include <string>

#include "model/model.hpp"

namespace svc::plan {

// $1 id; gives (may update, may delete) of a row that the caller reads. Empty where no row makes a
// difference.
std::string rights_sql(const model::Model& model, const model::Entity& entity);

// Where nothing of a new row but one ref decides who may make it. Else both are empty.
struct ParentRight {
    std::string ref;  // that field
    std::string sql;  // $1 id of the row that the ref points to; gives (may create)
};
ParentRight parent_right(const model::Model& model, const model::Entity& entity);

}  // namespace svc::plan
