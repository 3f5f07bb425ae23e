// The data of Apps, and its background work. Only its own sources include this.
#pragma once

#include <atomic>
#include <boost/asio/post.hpp>
#include <boost/asio/thread_pool.hpp>
#include <functional>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "apps/apply/apply.hpp"
#include "apps/apply/deferred_migrations.hpp"
#include "apps/apps.hpp"
#include "apps/key_origins.hpp"
#include "apps/lease/lease.hpp"

namespace svc::devapi {

struct Apps::Impl {
    static constexpr Env kDev = Env::dev;

    Impl(asio::io_context& io, AppsConfig config, Store& store, const std::string& holder)
        : io(io),
          config(std::move(config)),
          supervisor(io, states),
          secrets(store, this->config.master_key),
          store(store),
          leases(store, holder) {}

    ApplyServices services() {
        return {config, supervisor, keys, states, secrets, store, published};
    }
    void resume(const ProjectRef& project, Env env);
    bool resumed(const AppId& app, const ProjectRef& project);
    void bind_older_secrets(const std::string& project);
    void resume_later();
    bool resumed_or_gone(const AppId& app, const ProjectRef& project);
    void rebuild_later(const ProjectRef& project, Env env, const ContractRecord& record);
    std::vector<AppId> alive(const std::vector<ProjectRef>& projects) const;
    void recover(const std::string& project, bool serving);
    void recover_later();
    void run_deferred_later(const std::string& project, Env env);
    bool give_keys(const std::string& project, const std::vector<KeyRecord>& records);
    bool share_keys(const std::string& project);
    bool share_secrets(const std::string& project);
    void send_unsent();

    asio::io_context& io;
    const AppsConfig config;
    AppStates states;
    KeyBook keys{[this](const std::string& project, std::vector<KeyRecord>& list) {
        narrow_origins(config, store, project, list);
    }};
    ProjectLocks key_lists;  // held from reading a project's keys until its app has them
    Supervisor supervisor;
    const Secrets secrets;
    Store& store;
    std::function<void()> published = [] {};
    std::atomic<bool> recovers = false;
    DeferredMigrations deferred_migrations{states};
    std::atomic<bool> sending = false, resumes = false;
    std::map<AppId, ProjectRef> unresumed;    // while `resumes`, the builder's alone
    asio::thread_pool builder{1}, sender{1};  // a server that hangs delays no build
    Leases leases;  // last: its thread gives work to the builder, which has ended its own by then
};

}  // namespace svc::devapi
