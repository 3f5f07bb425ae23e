#include "pay/order.hpp"

#include <vector>

#include "base/sql_state.hpp"
#include "data/db_error.hpp"
#include "db/one_value.hpp"
#include "identity/command.hpp"

namespace svc::pay {
namespace {

using route::Handled;

constexpr unsigned kWeight = 8;  // of a write
constexpr Entity kNoEntity{};

// In the words of the ledger. Which code a table that is not the order table has depends on the
// route.
Error error_of(const db::Outcome& outcome, Code no_order_table) {
    if (outcome.error().sqlstate == base::sqlstate::kNoOrderTable)
        return {no_order_table, outcome.error().message, "table"};
    return data::to_error(outcome, kNoEntity);
}

Task<Handled> put(const PayContext& in, route::Request& request, const Caller& caller,
                  const OrderQuery& query, OrderAnswer& answer) {
    const IdentityCommand identity_command(caller);
    db::OneText value;
    db::Command command = identity::command(query.name, query.sql, query.params, &value);
    command.weight = kWeight;
    const db::Command commands[] = {identity_command.command(), command};
    const db::Outcome outcome = co_await in.data.run(commands);
    answer.answered = outcome.ok;
    answer.text = std::move(value.text);
    if (outcome.ok) co_return Handled::answered;
    if (data::session_ended(outcome)) co_return Handled::session_ended;
    http::fail(request.exchange.reply(), error_of(outcome, query.no_order_table));
    co_return Handled::answered;
}

}  // namespace

Task<identity::Result<OrderAnswer>> query_as_caller(const PayContext& in, route::Request& request,
                                                    OrderQuery query) {
    OrderAnswer answer;
    const auto as = [&in, &request, &query, &answer](const Caller& caller) {
        return put(in, request, caller, query, answer);
    };
    const route::Done done = co_await route::as_caller(in.callers, request, as);
    if (!done) co_return done.error();
    co_return std::move(answer);
}

}  // namespace svc::pay
