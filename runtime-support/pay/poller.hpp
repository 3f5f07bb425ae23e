// Asks the card provider about payments that are still under way, in the background. Any number of
// servers of an app may do this; only one at a time asks about a payment.
#pragma once

#include <boost/asio/io_context.hpp>
#include <functional>

#include "pay/pay_context.hpp"

namespace svc::pay {

// Until `io` or the pools go. `ended` is called once a payment may have ended, which starts runs.
Task<> poll_payments(asio::io_context& io, const PayContext& in, std::function<void()> ended);

}  // namespace svc::pay
