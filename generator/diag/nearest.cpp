#include "http/nearest.hpp"

#include "diag/finding.hpp"

namespace svc::diag {

std::string nearest(std::string_view word, const std::vector<std::string>& candidates) {
    return std::string(http::nearest(word, candidates));
}

}  // namespace svc::diag
