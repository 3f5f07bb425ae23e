// Reading payments, files, AI, connectors and providers of sign-in.
#pragma once

#include "contract/read/reader.hpp"
#include "contract/services.hpp"

namespace svc::contract {

// Reads the services of the whole contract.
Services read_services(const Reader& contract);
// Reads the providers of the auth settings.
std::vector<Provider> read_providers(const Reader& auth);

}  // namespace svc::contract
