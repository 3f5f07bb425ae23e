// The contract of this folder: reading, sending and replacing it.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "cli/findings.hpp"
#include "cli/session.hpp"

namespace svc::cli {

constexpr const char* kContractFile = "svc.json";

// Nothing where the file is missing or is no JSON: that has been shown, as the service would have.
std::optional<ContractFile> load_contract(const Session& session, const std::string& name,
                                          int& exit_code);

// {"contract": <the file's own text>, …}: the service sees what the author wrote, byte for byte.
// `flags` are set beside it.
std::string contract_body(const ContractFile& file, const std::vector<std::string>& flags = {});

// What of exposure an answer says that changes: what is widened first. Empty where nothing does.
std::string exposure_lines(const nlohmann::json& answer);

}  // namespace svc::cli
