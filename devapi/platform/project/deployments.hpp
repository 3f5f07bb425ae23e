// The deployments of each project, and their names.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/env.hpp"
#include "base/words.hpp"
#include "platform/store.hpp"

namespace svc::devapi {

enum class DeploymentStatus : std::uint8_t { deploying, live, superseded, rolled_back, failed };

struct Deployment {
    std::string id, project_id;
    Env env = Env::prod;
    std::string subdomain;
    DeploymentStatus status = DeploymentStatus::deploying;
    std::int64_t version = 0;
    std::string contract;
    std::optional<std::string> verify;  // the report as JSON; none: verification was skipped
    std::string error, created_at;
    std::optional<std::string> by;  // e-mail address of who deployed
};

// Thread-safe; blocking. Throws pqxx::failure.
class Deployments {
  public:
    explicit Deployments(Store& store) : store_(store) {}

    // Holds a name for an environment until it is live or released. False if another project has
    // it: as a subdomain, a slug, or the name of its preview.
    bool hold(const std::string& project, Env env, const std::string& name);
    // Releases names that were held and never became live.
    void let_go(const std::string& project, Env env);
    static void let_go(pqxx::work& tx, const std::string& project, Env env);
    // The name that is live; empty: none.
    std::string live_name(const std::string& project, Env env) const;
    // A default name for an environment: `wanted`, or `wanted` with a number.
    std::string free_name(const std::string& project, const std::string& wanted) const;

    void begin(const Deployment& deployment, const std::string& user);
    // Makes it live under its name only. The earlier live one ends; it counts as a rollback if this
    // one had been live before. May run again.
    static void live(pqxx::work& tx, const std::string& id, bool rollback);
    static void failed(pqxx::work& tx, const std::string& id, const std::string& error);

    std::optional<Deployment> find(const std::string& project, const std::string& id) const;
    // The ended deployments, newest first. `preview`: of the preview environment, otherwise of
    // prod.
    std::vector<Deployment> list(const std::string& project, bool preview, int limit) const;
    std::optional<Deployment> live_one(const std::string& project, Env env) const;

  private:
    Store& store_;
};

// True for a DNS label that a deployment can be published under.
bool is_subdomain(const std::string& name);

}  // namespace svc::devapi

template <>
struct svc::base::Words<svc::devapi::DeploymentStatus> {
    static constexpr std::array<std::string_view, 5> kAll = {"deploying", "live", "superseded",
                                                             "rolled_back", "failed"};
};
