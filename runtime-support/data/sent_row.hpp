// The answer to a creator who may not read what he created: the columns that he sent, and the id.
#pragma once

#include <string>
#include <string_view>

#include "svc/entity.hpp"

namespace svc::data {

// The whole envelope.
void write_sent_row(std::string& body, const Entity& entity, const Values& values,
                    std::string_view id);

}  // namespace svc::data
