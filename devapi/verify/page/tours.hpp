// Which pages are opened next: some of one visitor, whom the browser then lets in once for all of
// them. Each page is opened once before any is opened again, since the time may not suffice for
// all; and not again if a script of it may never end, since each such page costs seconds.
#pragma once

#include <condition_variable>
#include <cstddef>
#include <map>
#include <mutex>
#include <string>
#include <vector>

#include "verify/page/inspection.hpp"

namespace svc::devapi::verification {

class Tours {
  public:
    using Tour = std::vector<Inspection*>;

    explicit Tours(std::vector<Inspection>& all);
    // Empty: none is left. Waits where all that is left are pages that are open elsewhere, which
    // may turn out to be late. Any thread.
    Tour next();
    // Of each that next() answered, once the browser is done with it.
    void end(const Tour& tour);

  private:
    enum class Stage { unopened, open, opened };

    Stage stage_of(const Inspection& one) const;
    Tour taken(Stage stage);

    std::mutex mutex_;
    std::condition_variable ended_;
    Tour left_;
    std::map<std::string, Stage> routes_;
};

}  // namespace svc::devapi::verification
