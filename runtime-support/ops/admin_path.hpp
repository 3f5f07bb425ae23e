// Where the socket for whoever runs an app server stands (ops/admin.hpp).
#pragma once

#include <string>

namespace svc::ops {

// Of a server with this control socket: beside it, ".<name>.adm".
inline std::string admin_path(const std::string& control) {
    const auto name = control.rfind('/') + 1;
    return control.substr(0, name) + "." + control.substr(name, control.rfind('.') - name) + ".adm";
}

}  // namespace svc::ops
