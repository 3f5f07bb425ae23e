// The contract of this folder: reading, sending and replacing it.
#pragma once

#include <optional>
#include <string>

#include "cli/findings.hpp"
#include "cli/session.hpp"

namespace svc::cli {

constexpr const char* kContractFile = "svc.json";

// Nothing where the file is missing or is no JSON: that has been shown, as the service would have.
std::optional<ContractFile> load_contract(const Session& session, const std::string& name,
                                          int& exit_code);

// {"contract": <the file's own text>, <wish>: true}: the service sees what the author wrote, byte
// for byte. Nothing more is wished where `wish` is empty.
std::string contract_body(const ContractFile& file, const std::string& wish);

// What of exposure an answer says that changes: what is widened first. Empty where nothing does.
std::string exposure_lines(const nlohmann::json& answer);

}  // namespace svc::cli
