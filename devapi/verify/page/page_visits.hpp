// Which pages a verification opens, and as whom.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "verify/subject.hpp"

namespace svc::devapi::verification {

struct PageVisit {
    std::string route, path;
    const model::Page* page = nullptr;  // null: one that every app has
};

// Callers as a browser's session makes them: no server keys. Without an organisation, and as
// members of one.
std::vector<VerifyCaller> page_visitors(const Subject& subject);
// Every page. A page about a row comes with some rows that the visitor may read, and some others.
std::vector<PageVisit> visits_of(Subject& subject, const VerifyCaller& visitor);
// The session of this visitor on the clone; empty for a guest.
std::string page_session(Subject& subject, const VerifyCaller& visitor);

}  // namespace svc::devapi::verification
