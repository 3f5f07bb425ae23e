// Checks the files of all apps in the background, once a day each: so that `svc status` shows the
// result without reading the disk during a request.
#pragma once

#include <functional>
#include <thread>
#include <vector>

#include "operate/file/files_check.hpp"

namespace svc::devapi {

class FilesWatch {
  public:
    using FindApps = std::function<std::vector<AppFiles>()>;

    FilesWatch() = default;
    // Checks at once and then repeatedly. Calls `apps` from its own thread.
    void start(FindApps apps);
    // Cancels the running check. The thread ends with the object.
    void stop();

  private:
    std::jthread thread_;
};

}  // namespace svc::devapi
