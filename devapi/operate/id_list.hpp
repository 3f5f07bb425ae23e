// Ids of rows as PostgreSQL reads an array of them.
#pragma once

#include <string>
#include <vector>

namespace svc::devapi {

// `ids` are uuids: nothing in them is escaped.
inline std::string id_list(const std::vector<std::string>& ids) {
    std::string out = "{";
    for (const std::string& id : ids) out.append(out.size() == 1 ? "" : ",").append(id);
    return out + '}';
}

}  // namespace svc::devapi
