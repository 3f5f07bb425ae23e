#include "run/route/run_error.hpp"

#include "base/sql_state.hpp"
#include "data/db_error.hpp"
#include "json/value.hpp"
#include "svc/entity.hpp"

namespace svc::run {
namespace {

// Its detail is [{"field", "message"}, …].
Error misfit(const db::Outcome& outcome) {
    Error error{Code::params_invalid, outcome.error().message};
    const json::Parsed details = json::parse(outcome.error().detail);
    if (!details.error.empty() || details.value.items.empty()) return error;
    error.field = details.value.items.front().text_of("field");
    error.extra = ",\"details\":" + outcome.error().detail;
    return error;
}

}  // namespace

Error error_of(const db::Outcome& outcome) {
    static const Entity kNone{};
    const std::string_view state = outcome.error().sqlstate;
    if (state == base::sqlstate::kMisfit) return misfit(outcome);
    if (state == base::sqlstate::kRule && outcome.error().hint == name(Code::function_failed))
        return {Code::function_failed, outcome.error().message};
    return data::to_error(outcome, kNone);
}

}  // namespace svc::run
