// The routes of payments: POST /pay/checkout, /pay/confirm, /pay/settle, GET /pay/methods,
// /pay/for/<table>/<id> and /pay/total/<table>/<id>. And what comes in at the webhook of the card
// provider.
#pragma once

#include <vector>

#include "pay/pay_context.hpp"
#include "route/endpoint.hpp"

namespace svc::pay {

std::vector<route::Endpoint> routes(const PayContext& in);

// Origin of the pages on which the connected provider's customers pay; empty: none is connected.
Task<std::string> page_origin(const PayContext& in);

// A verified call of the provider's webhook (POST /hooks/<project>/card). What it says is only a
// reason to ask the provider.
Task<route::Done> take_card_event(const PayContext& in, http::Exchange& exchange);

}  // namespace svc::pay
