// Findings as the developer API reports them, and the contract that a request carries.
#pragma once

#include <functional>
#include <optional>
#include <string_view>

#include "apps/apps.hpp"
#include "diag/finding.hpp"
#include "http/dev_request.hpp"

namespace svc::devapi {

constexpr std::size_t kContractLimit = 8 * 1024 * 1024;  // bytes of a body that holds one

// {ok, errors, fixes, warnings}; each finding {code, path, message, line, column, fix}.
json report_json(const diag::Findings& findings);

// Sends each stage of a change as an event `stage`, {name, status, ms, detail}, if the client wants
// events. The request outlives it.
std::function<void(const Stage&)> stages_to(const Request& request);

// The bytes of the body's member `contract`, an object; none: answered 400.
std::optional<std::string_view> contract_of(const Request& request, Response& response);

}  // namespace svc::devapi
