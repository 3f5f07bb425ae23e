// The keys functions, workflows, webhooks and topics.
#pragma once

#include "contract/flow.hpp"
#include "contract/read/reader.hpp"

namespace svc::contract {

Flows read_flows(const Reader& contract);
std::vector<Step> read_steps(const std::vector<Value>& items);
std::optional<Retry> read_retry(const Reader& in);

}  // namespace svc::contract
