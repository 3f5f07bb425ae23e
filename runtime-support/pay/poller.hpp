// Asks the card provider about payments that are still under way, in the background. Any number of
// servers of an app may: each payment is asked about by one of them at a time.
#pragma once

#include <boost/asio/io_context.hpp>
#include <functional>

#include "pay/pay_context.hpp"

namespace svc::pay {

// Until `io` or the pools go. `ended` is called once a payment may have ended, which starts runs.
Task<> poll_payments(asio::io_context& io, const PayContext& in, std::function<void()> ended);

}  // namespace svc::pay
