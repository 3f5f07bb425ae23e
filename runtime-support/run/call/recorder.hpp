// Replaces all other services: each step that calls one is answered as if the call had succeeded,
// and nothing is sent. For trying an app out (SVC_OUTSIDE=off) and for verifications.
#pragma once

#include <string>

#include "run/service.hpp"

namespace svc::run {

// The step's result: a refusal if the real call would be refused before it is sent.
ServiceResult stand_in(const ServiceCall& call);
// The target of the call: "POST api.example.com/charges". Empty for kinds other than http.
std::string target_of(const ServiceCall& call);

class Recorder final : public Service {
  public:
    Task<ServiceResult> perform(ServiceCall call) override { co_return stand_in(call); }
};

// The recorder for each kind of step; outlives them.
Services recorded(Recorder& recorder);

}  // namespace svc::run
