#include "query/report.hpp"

#include "diag/source_map.hpp"

namespace svc::query {

void Report::error(std::size_t at, const std::string& code, std::string message, std::string fix) {
    if (!reported_.emplace(at, code).second) return;
    findings_.error(code, diag::inside(query_.path, at), std::move(message), std::move(fix));
}

void Report::warning(std::size_t at, const std::string& code, std::string message,
                     std::string fix) {
    findings_.warning(code, diag::inside(query_.path, at), std::move(message), std::move(fix));
}

}  // namespace svc::query
