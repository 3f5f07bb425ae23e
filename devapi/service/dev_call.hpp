// One call of svcd while it is answered; for the service's own sources alone.
#pragma once

#include <atomic>
#include <memory>

#include "service/dev_service.hpp"

namespace svc::devapi {

struct DevService::Call {
    const Route* route = nullptr;
    Request request;
    Response response;
    std::shared_ptr<Progress> progress;  // set where the client wants events
    std::atomic<bool> hung_up{false};
    bool admitted = false;
};

}  // namespace svc::devapi
