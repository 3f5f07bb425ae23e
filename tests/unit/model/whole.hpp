// The model of a contract that uses every service and every block of a page.
#pragma once

#include <fstream>
#include <iterator>
#include <string>

#include "paths.hpp"
#include "unit/model/contract.hpp"

namespace svc::tests {

inline const model::Model& whole() {
    static const model::Model kModel = [] {
        std::ifstream in(std::string(SVC_SOURCE_DIR) +
                         "/tests/golden/errors/whole/services_and_pages/svc.json");
        return resolved({std::istreambuf_iterator<char>(in), {}});
    }();
    return kModel;
}

}  // namespace svc::tests
