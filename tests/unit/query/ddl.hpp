// SQL that adds tables by hand, read beside an entity's tables and a type.
#pragma once

#include <gtest/gtest.h>

#include <string>

#include "query/ddl/ddl.hpp"

namespace svc::query {

inline Ddl read_by_hand(const std::string& sql) {
    return read_ddl(sql, {{"product", "order"}, {"colour"}});
}

}  // namespace svc::query
