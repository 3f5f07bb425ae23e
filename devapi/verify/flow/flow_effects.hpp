// Records what functions and workflows do on the clone, in order.
#pragma once

#include <string>

#include "verify/clone/clone_connection.hpp"
#include "verify/flow/flow_outcome.hpp"

namespace svc::devapi::verification {

class FlowEffects {
  public:
    // Call it within a transaction that is rolled back. The connection acts as the owner.
    explicit FlowEffects(CloneConnection& db);

    // Forgets the records so far.
    void forget();
    // Records an action without a row: a call that it would have made, a time that it would have
    // waited.
    void note(const std::string& kind, const std::string& target);
    // Lists the records; of a run the first fifty.
    void list(FlowOutcome& out);

  private:
    CloneConnection& db_;
};

}  // namespace svc::devapi::verification
