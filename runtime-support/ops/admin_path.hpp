// The path of the operator's socket of an app server (ops/admin.hpp).
#pragma once

#include <string>

namespace svc::ops {

// The path beside the control socket of the server: ".<name>.adm".
inline std::string admin_path(const std::string& control) {
    const auto name = control.rfind('/') + 1;
    return control.substr(0, name) + "." + control.substr(name, control.rfind('.') - name) + ".adm";
}

}  // namespace svc::ops
