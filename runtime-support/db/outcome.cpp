#include "db/pool.hpp"

namespace svc::db {

const Complaint& Outcome::why() const {
    static const Complaint none;
    return complaint ? *complaint : none;
}

Complaint& Outcome::complain() {
    if (!complaint) complaint = std::make_unique<Complaint>();
    return *complaint;
}

bool Outcome::lost() const {
    const std::string_view state = why().sqlstate;
    return state.starts_with("08") || state == "53300" || state.starts_with("57P");
}

}  // namespace svc::db
