#include "base/nearest.hpp"

#include "diag/finding.hpp"

namespace svc::diag {

std::string nearest(std::string_view word, const std::vector<std::string>& candidates) {
    return std::string(base::nearest(word, candidates));
}

}  // namespace svc::diag
