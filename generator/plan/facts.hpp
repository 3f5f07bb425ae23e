// Facts about a column or a parameter that only documents and clients use.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "model/model.hpp"

namespace svc::plan {

struct Facts {
    std::optional<model::FieldType> type;  // none: a key that only another database knows
    std::string label;                     // empty: the name says it
    std::vector<std::string> values;       // enum
    std::optional<std::string> min, max;
    std::optional<std::uint32_t> min_length, max_length;  // characters
    std::optional<std::string> pattern;                   // PostgreSQL's regular expression
    std::optional<unsigned> scale;                        // digits after the point
    std::optional<std::string> fallback;  // if nothing is sent: PostgreSQL's input text
    std::string ref;                      // name of the entity that it refers to
    bool nullable = true;
    bool unique = false;
};

}  // namespace svc::plan
