// Converts the values of a column to another type. One table has the possible conversions. A
// conversion keeps every value's meaning, or names the rows where it would not.
#pragma once

#include <optional>
#include <string>

namespace svc::migrate {

// SQL over one value; null stays null.
struct Cast {
    std::string value;  // what it becomes; an error if it cannot
    std::string keeps;  // whether nothing is lost; an error counts as no
};

// `expression` gives the value as type `from`; both types as canonical_type() writes them. Holds
// for connections whose time zone is UTC and whose dates are ISO. None if there is no conversion.
std::optional<Cast> cast_between(const std::string& expression, const std::string& from,
                                 const std::string& to, const std::string& timezone);

// True if both types are numbers with different units: money is stored in hundredths. The arguments
// are field types; empty: not known.
bool meaning_differs(const std::string& from_word, const std::string& to_word);

// Functions of the connection that casts call.
const char* cast_helpers();

}  // namespace svc::migrate
