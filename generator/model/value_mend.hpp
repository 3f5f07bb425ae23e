// What to write instead of a value that its field cannot hold.
#pragma once

#include <string>

#include "contract/value.hpp"
#include "model/model.hpp"

namespace svc::model {

// `problem`: of pg_text() (model/values.hpp). `currency`: the app's, in which money is.
std::string value_mend(const Field& field, const contract::Value& value, const std::string& problem,
                       const std::string& currency);

}  // namespace svc::model
