// The coroutine type of everything that waits on a socket, a timer or PostgreSQL.
// Rules with g++ 12: no capturing lambda inside a co_await expression and none that is itself a
// coroutine; parameters by value in detached coroutines; no co_await in a catch block; none as an
// operand of && or || (compiled to a trap): a statement of its own, its result in a variable.
#pragma once

#include <boost/asio/awaitable.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/use_awaitable.hpp>

namespace svc {

namespace asio = boost::asio;

template <class T = void>
using Task = asio::awaitable<T>;

}  // namespace svc
