// How an apply is run for a request, and told: as stages while it runs, then whole.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "apps/turn.hpp"
#include "http/context.hpp"
#include "http/dev_request.hpp"

namespace svc::devapi {

// The lease of the request's project; null: answered 409 PROJECT_BUSY.
std::unique_ptr<Turn> take_turn(Context& context, const Request& request, Response& response);

// Blocks until it is live or refused, and answers.
void run_apply(Context& context, const Request& request, Turn& turn, const std::string& contract,
               bool force, Response& response, const std::vector<migrate::Replaced>& replaced = {});

void send_outcome(const ApplyOutcome& outcome, Response& response);

}  // namespace svc::devapi
