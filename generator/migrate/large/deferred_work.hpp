// Does the work that migrations deferred.
#pragma once

#include <pqxx/pqxx>

namespace svc::migrate {

// Ends the connection that does it in this database, if there is one. Its work is taken up again by
// the next.
void interrupt_deferred(pqxx::transaction_base& tx);

}  // namespace svc::migrate
