// Bodies of the routes of runs.
#pragma once

#include <boost/system/result.hpp>
#include <string>
#include <string_view>

#include "http/error.hpp"

namespace svc::run {

// {"input": …}, or nothing: the input as JSON, {} where it is not given.
boost::system::result<std::string, Error> read_input(std::string_view body);
// {"ids": […]}, or nothing: an array of PostgreSQL's, empty where they are not given.
boost::system::result<std::string, Error> read_ids(std::string_view body);

}  // namespace svc::run
