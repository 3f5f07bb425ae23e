#include "domains/public_suffix.hpp"

#include <libpsl.h>

#include <memory>

namespace svc::devapi {

bool is_public_suffix(const std::string& host) {
    // The machine's list, which is kept up to date; the library's own where there is none.
    static const std::unique_ptr<psl_ctx_t, decltype(&psl_free)> list(psl_latest(nullptr),
                                                                      psl_free);
    return list && psl_is_public_suffix(list.get(), host.c_str()) == 1;
}

}  // namespace svc::devapi
