// The right to change a project's app. It is a row of the platform's database (`apply_run`): the
// lease, and the record of the change that the lease is for.
//
// A lease expires unless it is renewed, so nobody waits longer than that for a holder that is gone.
// Each new lease has a greater token than all before. The token makes the platform's and the app's
// databases refuse whatever an earlier holder still tries.
#pragma once

#include <condition_variable>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <set>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include "apps/apps.hpp"
#include "platform/store.hpp"

namespace svc::devapi {

// Another svcd has taken the change over.
struct LeaseLost : std::runtime_error {
    LeaseLost() : std::runtime_error("Another svcd has taken over this change.") {}
};

class Leases;

class Lease {
  public:
    struct Row {
        std::string id;
        ProjectRef project;
        LeaseKind kind;
        LeaseStage stage = LeaseStage::planned;
        bool makes_database = false;
        std::int64_t token = 0;
        Env env = Env::dev;
        std::string subject = {};  // id of the deployment or snapshot that it is about
        std::string user = {};     // account; empty: svcd itself, also where it was taken over
    };
    struct End {
        LeaseEnd how = LeaseEnd::failed;
        std::int64_t version = 0;
        std::string error;
        Recovered recovered = Recovered::no;
    };

    Lease(Leases& leases, Row row);
    // A run without an end is recovered later.
    ~Lease();
    Lease(const Lease&) = delete;
    Lease& operator=(const Lease&) = delete;

    const Row& row() const { return row_; }
    // All of these throw LeaseLost, or pqxx::failure if the platform's database does not answer.
    void reach(LeaseStage stage);
    void will_make_database();
    // Runs `work`; meanwhile no other svcd can take over the change.
    void guarded(const std::function<void()>& work);
    // Runs `work` in one transaction with the check that this process still holds the lease.
    void commit(const std::function<void(pqxx::work&)>& work);
    void finish(const End& end);
    // Deletes the project's row, and this row with it.
    void remove_project();

  private:
    friend class Leases;

    Leases& leases_;
    Row row_;
};

class Leases {
  public:
    // `holder` names the data folder: of two svcd with the same one only one is alive.
    Leases(Store& store, std::string holder);

    // A new change. Null if another one is under way, or was left by a holder that is gone.
    std::unique_ptr<Lease> take(const ProjectRef& project, const Purpose& purpose);
    // Takes over the changes whose holders are gone. `project` empty: of all projects.
    std::vector<std::unique_ptr<Lease>> take_over(const std::string& project = {});
    // Calls `work` again and again on the thread that renews, until `Leases` ends.
    void on_beat(std::function<void()> work);

  private:
    friend class Lease;
    void beat(const std::stop_token& stop);
    void renew(const std::string& ids);

    Store& store_;
    const std::string holder_;
    std::mutex mutex_;
    std::set<std::string> held_;  // ids of changes that live in this process
    std::function<void()> on_beat_;
    std::jthread beat_;  // last: it uses all of the above
};

}  // namespace svc::devapi
