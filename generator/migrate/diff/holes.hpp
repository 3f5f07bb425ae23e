// Names that SQL of a plan leaves open until its database is known: :data_role, :key_type.
#pragma once

#include <string>
#include <string_view>

namespace svc::migrate {

// `sql` with each `placeholder` replaced, except inside of quotes, dollar quotes and comments,
// which may contain the same characters in an author's text. For standard_conforming_strings.
std::string fill_placeholder(std::string_view sql, std::string_view placeholder,
                             std::string_view by);

}  // namespace svc::migrate
