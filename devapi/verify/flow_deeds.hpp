// What functions and workflows do on the clone, noted in the order in which they do it.
#pragma once

#include <string>

#include "verify/driven.hpp"
#include "verify/session.hpp"

namespace svc::devapi::verification {

class FlowDeeds {
  public:
    // Within a transaction that is taken back; the session is the owner.
    explicit FlowDeeds(Session& db);

    // What was noted so far is of no interest.
    void forget();
    // Something that no row tells of: whom it would have called, how long it would have waited.
    void note(const std::string& kind, const std::string& target);
    // Lists what was noted; of a run, the first fifty.
    void list(Driven& out);

  private:
    Session& db_;
};

}  // namespace svc::devapi::verification
