// Test rows for the clone: each value that a condition names, rows of each caller and rows without
// an owner. The real rows alone would leave most of a new app untested.
#pragma once

#include <string>
#include <vector>

#include "verify/subject.hpp"

namespace svc::devapi::verification {

struct Fixtures {
    std::size_t rows = 0;
    std::vector<std::string> without;  // entities of which none could be made
};

// Makes the callers' accounts and organisations too. Rows that a constraint refuses are left out.
// The rows and their ids are the same each time.
Fixtures make_fixtures(Subject& subject);

// Values that conditions compare this field with, as their author wrote them.
std::vector<std::string> named_values(const model::Model& model, std::size_t entity,
                                      std::size_t field);

// True if its rows are in a table of this database.
inline bool is_table(const model::Entity& entity) { return !entity.external; }

// True if also no condition on its rows reads external rows, which the clone cannot reach.
bool can_be_tried(const model::Model& model, const model::Entity& entity);
// "Not tried, since they look at rows of another database: …", where there are such.
void warn_of_untried(const model::Model& model, VerifyCheck& out);

}  // namespace svc::devapi::verification
