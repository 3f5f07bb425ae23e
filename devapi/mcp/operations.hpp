// The operations of the developer API as data: what tools of other programs are made from. Each is
// a route of the table (routes/routes.hpp); an operation without a route is not offered.
#pragma once

#include <span>
#include <string_view>

namespace svc::devapi {

struct Operation {
    std::string_view name;         // of the tool
    std::string_view title;        // for people
    std::string_view description;  // for who chooses among tools
    std::string_view method;
    std::string_view path;   // :project and others are arguments
    std::string_view input;  // properties of the arguments that are not in the path, JSON Schema
    std::string_view required = "";  // of those: names in quotes, with commas between
    bool reads = false;              // changes nothing
    bool destroys = false;           // may change or remove what was there
};

std::span<const Operation> operations();

}  // namespace svc::devapi
