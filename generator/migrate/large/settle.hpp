// Does the work that migrations deferred.
#pragma once

#include <pqxx/pqxx>

namespace svc::migrate {

// Ends the connection that settles this database, if there is one. Its work is taken up again by
// the next.
void interrupt_settling(pqxx::transaction_base& tx);

}  // namespace svc::migrate
