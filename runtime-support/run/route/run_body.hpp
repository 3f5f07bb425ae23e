// Bodies of the routes of runs.
#pragma once

#include <boost/system/result.hpp>
#include <optional>
#include <string>
#include <string_view>

#include "http/error.hpp"

namespace svc::run {

// {"input": …, "row": …, "old": …}, or nothing.
struct StartBody {
    std::string input = "{}";        // a JSON object
    std::optional<std::string> row;  // id of the row that it is about
    std::optional<std::string> old;  // a JSON object: values that the row had before
};
boost::system::result<StartBody, Error> read_start(std::string_view body);
// {"ids": […]} as an array of PostgreSQL's; none where they are not given.
boost::system::result<std::optional<std::string>, Error> read_ids(std::string_view body);

}  // namespace svc::run
