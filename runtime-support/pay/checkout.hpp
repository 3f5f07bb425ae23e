// POST /pay/checkout.
#pragma once

#include "pay/paying.hpp"

namespace svc::pay {

Task<route::Done> checkout(const Paying& in, route::Request& request);

}  // namespace svc::pay
