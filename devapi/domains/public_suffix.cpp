#include "domains/public_suffix.hpp"

#include <libpsl.h>

#include <memory>
#include <stdexcept>

namespace svc::devapi {

bool is_public_suffix(const std::string& host) {
    // The machine's list, which is kept up to date; the library's own if there is none.
    static const std::unique_ptr<psl_ctx_t, decltype(&psl_free)> list(psl_latest(nullptr),
                                                                      psl_free);
    if (!list) throw std::runtime_error("The list of public suffixes cannot be read.");
    return psl_is_public_suffix(list.get(), host.c_str()) == 1;
}

}  // namespace svc::devapi
