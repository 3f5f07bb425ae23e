// The contract of this folder: reading, sending and replacing it.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "cli/context.hpp"
#include "cli/contract/findings.hpp"

namespace svc::cli {

constexpr const char* kContractFile = "svc.json";

enum class FileContent { contract, operations };

// Nothing if the file is missing, is not JSON, or is to hold a contract and is not an object: that
// has been shown, as the service would have.
std::optional<ContractFile> load_json(const CliContext& context, const std::string& name,
                                      FileContent content, int& exit_code);

// {"contract": <the file's own text>, …}: the service sees what the author wrote, byte for byte.
// `beside` are the members of an object to set beside it.
std::string contract_body(const ContractFile& file,
                          const nlohmann::json& beside = nlohmann::json::object());

// The contract of an answer as its author laid it out, or one member a line where it came on a
// single line.
std::string contract_text(const std::string& answer);

// The changes of exposure in an answer, widened ones first. Empty if there are none.
std::string exposure_lines(const nlohmann::json& answer);

}  // namespace svc::cli
