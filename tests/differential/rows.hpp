// Values of rows: mostly edges and nulls.
#pragma once

#include <string>

#include "dice.hpp"
#include "model/model.hpp"

namespace svc::differential {

// id number n of its kind: 00000000-0000-4000-8000-00000000000n
std::string id_of(char kind, int n);

// PostgreSQL's input text of a value for a column of this SQL type, or "null".
std::string random_value(Dice& dice, const std::string& sql_type);

}  // namespace svc::differential
