#include "operate/short_id.hpp"

#include <algorithm>

#include "base/formats.hpp"
#include "operate/reading.hpp"

namespace svc::devapi {
namespace {

constexpr std::size_t kShortestId = 4;
constexpr std::string_view kNullId = "00000000-0000-0000-0000-000000000000";

// An id from its beginning, with this digit for each that is missing.
std::string filled_id(std::string_view beginning, char digit) {
    std::string rest(kNullId.substr(beginning.size()));
    std::ranges::replace(rest, '0', digit);
    return std::string(beginning) + rest;
}

}  // namespace

bool is_short_id(std::string_view text) {
    return text.size() >= kShortestId && text.size() <= kNullId.size() &&
           base::is_uuid(filled_id(text, '0'));
}

// They are those from the one filled with 0 to the one filled with f, which an index finds.
std::vector<std::string> ids_with(const std::string& database, const char* rows,
                                  const std::string& beginning, int limit) {
    Reading reading(database);
    std::vector<std::string> out;
    for (const auto& row : reading.tx.exec_params(
             std::string("select i.id from ") + rows +
                 " and i.id between $1::uuid and $2::uuid order by i.id limit $3",
             filled_id(beginning, '0'), filled_id(beginning, 'f'), limit))
        out.emplace_back(row[0].c_str());
    return out;
}

}  // namespace svc::devapi
