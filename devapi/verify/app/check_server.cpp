// The live binary starts on the clone.
#include "verify/app/server.hpp"

namespace svc::devapi::verification {

void check_server(Subject& subject, VerifyCheck& out) {
    subject.server = std::make_unique<AppServer>(subject);
    out.good();
    out.said = "The live program starts on the clone and reports that it is ready.";
}

}  // namespace svc::devapi::verification
