// Statements with which pages find out what their visitor may do, before they offer an action. They
// use the predicates of the policies, as the caller. None for rows of another database, which have
// no policies: their view checks at the write.
#pragma once

#include <string>

#include "model/model.hpp"

namespace svc::plan {

// $1 id; gives (may update, may delete) of a row that the caller reads. Empty if the answer is the
// same for all rows.
std::string rights_sql(const model::Model& model, const model::Entity& entity);

// Set if only one ref of a new row decides who may create it. Otherwise both are empty.
struct ParentRight {
    std::string ref;  // that field
    std::string sql;  // $1 id of the row that the ref points to; gives (may create)
};
ParentRight parent_right(const model::Model& model, const model::Entity& entity);

}  // namespace svc::plan
