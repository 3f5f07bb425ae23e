#include <cstddef>

#include "plan/plan.hpp"

namespace svc::plan {

std::string_view word(Routine::Kind kind) {
    constexpr std::string_view kWords[] = {"function", "trigger", "policy",  "grant",
                                           "sequence", "words",   "foreign", "view"};
    return kWords[static_cast<std::size_t>(kind)];
}

std::string_view word(ServedLink::Kind kind) {
    return kind == ServedLink::Kind::one ? "one" : "many";
}

std::string_view word(Route::Method method) {
    constexpr std::string_view kWords[] = {"get", "post", "patch", "remove"};
    return kWords[static_cast<std::size_t>(method)];
}

std::string_view word(Route::Action action) {
    constexpr std::string_view kWords[] = {"list",   "aggregate",  "get",     "create", "update",
                                           "remove", "transition", "restore", "history"};
    return kWords[static_cast<std::size_t>(action)];
}

}  // namespace svc::plan
