// Which pages are opened next: some of one visitor, whom the browser then lets in once for all of
// them. Each page is opened by one visitor before others open it, since the time may not suffice
// for all; and by nobody else if a script of it may never end, since each such page costs seconds.
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
    // Of each that next() answered, once the browser is done with it. Pages of it that were not
    // tried are left for another tour.
    void end(const Tour& tour);
    // How many pages were tried, or are not opened since they may be late. Any thread.
    std::size_t done() const;

  private:
    enum class Stage { unopened, open, opened };  // open: for the first time

    Stage stage_of(const Inspection& one) const;
    Tour taken(Stage stage);

    void leave_out(const std::string& route);

    mutable std::mutex mutex_;
    std::condition_variable ended_;
    Tour left_;
    std::size_t done_ = 0;
    std::map<std::string, Stage> routes_;
};

}  // namespace svc::devapi::verification
