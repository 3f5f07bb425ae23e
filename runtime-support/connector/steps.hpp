// Steps of workflows that call connectors: connector, mcp.
#pragma once

#include "connector/connector_context.hpp"
#include "run/service.hpp"

namespace svc::connector {

class ConnectorStep final : public run::Service {
  public:
    explicit ConnectorStep(ConnectorContext& in) : in_(in) {}
    Task<run::ServiceResult> perform(run::ServiceCall asked) override;

  private:
    ConnectorContext& in_;
};

class McpStep final : public run::Service {
  public:
    explicit McpStep(ConnectorContext& in) : in_(in) {}
    Task<run::ServiceResult> perform(run::ServiceCall asked) override;

  private:
    ConnectorContext& in_;
};

}  // namespace svc::connector
