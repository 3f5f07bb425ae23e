// Asio's and Beast's own code, compiled once: every other source only declares it.
#include <boost/asio/impl/src.hpp>
#include <boost/beast/src.hpp>
