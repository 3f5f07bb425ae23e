// Checks the files of all apps in the background, once a day each: what `svc status` shows of
// them costs no request a look at a disk.
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
    // Looks at once, and then again and again. Calls `apps` from a thread of its own.
    void start(FindApps apps);
    // What is under way is given up; the thread ends with the object.
    void stop();

  private:
    std::jthread thread_;
};

}  // namespace svc::devapi
