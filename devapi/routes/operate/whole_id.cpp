#include "routes/operate/whole_id.hpp"

#include <vector>

#include "base/formats.hpp"
#include "base/parts.hpp"
#include "calls/environment.hpp"
#include "operate/short_id.hpp"

namespace svc::devapi {
namespace {

constexpr int kNamedIds = 5;  // of several with one beginning

}  // namespace

std::string whole_id(const IdsOf& among, const std::string& given, Response& response) {
    if (base::is_uuid(given)) return given;
    const auto fitting = is_short_id(given) ? ids_with(among.database, among.rows, given, kNamedIds)
                                            : std::vector<std::string>();
    if (fitting.size() == 1) return fitting.front();
    if (fitting.empty())
        response.refuse(Code::not_found, "There is no " + among.what + " '" + given + "'.");
    else
        bad_parameter(response, among.field,
                      "Several ids begin with '" + given + "', such as " + base::joined(fitting) +
                          ". Give more characters.");
    return {};
}

}  // namespace svc::devapi
