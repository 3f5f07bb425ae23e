// Calls of the ledger about an order, made as the caller. So the ledger shows and records only
// orders that the caller may read.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "pay/pay_context.hpp"

namespace svc::pay {

// One of the functions of schema/payments.sql for callers; its first two parameters are the table
// and the id.
struct OrderQuery {
    std::string_view name, sql;
    std::span<const db::Param> params;
    Code no_order_table = Code::not_an_order;  // the table holds no orders
};

struct OrderAnswer {
    bool answered = false;            // false: the reply has the refusal already
    std::optional<std::string> text;  // nothing: null
};

// A refusal where the caller cannot be known.
Task<identity::Result<OrderAnswer>> query_as_caller(const PayContext& in, route::Request& request,
                                                    OrderQuery query);

}  // namespace svc::pay
