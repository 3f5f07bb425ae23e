// Steps of workflows that ask a model: ai, embed. Counted on the project's budget.
#pragma once

#include "ai/model_calls.hpp"
#include "run/service.hpp"

namespace svc::ai {

class AiStep final : public run::Service {
  public:
    explicit AiStep(const AiContext& in) : in_(in) {}
    Task<run::ServiceResult> perform(run::ServiceCall asked) override;

  private:
    const AiContext& in_;
};

class EmbedStep final : public run::Service {
  public:
    explicit EmbedStep(const AiContext& in) : in_(in) {}
    Task<run::ServiceResult> perform(run::ServiceCall asked) override;

  private:
    const AiContext& in_;
};

}  // namespace svc::ai
