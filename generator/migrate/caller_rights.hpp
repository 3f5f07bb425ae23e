// The function that runs statements of steps with callers' rights. Dumps leave it out, so it is
// made after a dump is loaded.
#pragma once

#include <pqxx/pqxx>
#include <string>

namespace svc::migrate {

// Makes the function again. From then on the transaction runs as the owner.
void make_caller_rights(pqxx::transaction_base& tx, const std::string& owner_role,
                        const std::string& data_role);

}  // namespace svc::migrate
