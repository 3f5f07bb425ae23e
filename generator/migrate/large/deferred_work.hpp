// Does the work that migrations deferred.
#pragma once

#include <pqxx/pqxx>

namespace svc::migrate {

// Ends the connection that does deferred work in this database, if there is one. The next one
// continues the work.
void interrupt_deferred(pqxx::transaction_base& tx);

}  // namespace svc::migrate
