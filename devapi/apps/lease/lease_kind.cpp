#include "apps/lease/lease_kind.hpp"

#include <stdexcept>
#include <string>

namespace svc::devapi {
namespace {

template <class Enum>
Enum must_read(std::string_view text) {
    if (const auto known = base::read_word<Enum>(text)) return *known;
    throw std::invalid_argument("apply_run holds an unknown kind: " + std::string(text));
}

}  // namespace

LeaseKind lease_kind(std::string_view word) { return must_read<LeaseKind>(word); }

LeaseStage lease_stage(std::string_view word) { return must_read<LeaseStage>(word); }

}  // namespace svc::devapi
