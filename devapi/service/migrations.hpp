// POST /data/migrate of the runtime API. An app server has no role that may change tables, so it
// hands the request back and svcd answers: the same checks in the same order, the same envelope.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "calls/context.hpp"
#include "http/exchange.hpp"
#include "http/target.hpp"
#include "http/workers.hpp"
#include "identity/budget.hpp"
#include "service/long_calls.hpp"

namespace svc::devapi {

class Migrations {
  public:
    Migrations(Context& context, Workers& workers, LongCalls& long_calls)
        : context_(context), workers_(workers), long_calls_(long_calls) {}

    // Runs on the io thread.
    Task<> answer(http::Exchange& exchange, const Target& target);

  private:
    identity::Budget& budget(const std::string& project);
    // Adds the tables of the body, when a slot for long calls is free. Nothing: they are added.
    Task<std::optional<Error>> add(std::string_view body, const std::string& project);

    Context& context_;
    Workers& workers_;
    LongCalls& long_calls_;
    std::map<std::string, std::unique_ptr<identity::Budget>> budgets_;
};

}  // namespace svc::devapi
