// POST /pay/checkout.
#pragma once

#include "pay/pay_context.hpp"

namespace svc::pay {

Task<route::Done> checkout(const PayContext& in, route::Request& request);

}  // namespace svc::pay
