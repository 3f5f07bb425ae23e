#include "apps/apply.hpp"

#include <chrono>
#include <exception>
#include <filesystem>
#include <fstream>
#include <future>
#include <optional>
#include <system_error>
#include <utility>

#include "apps/backups.hpp"
#include "apps/binaries.hpp"
#include "apps/provision.hpp"
#include "apps/summary.hpp"
#include "build/format.hpp"
#include "diag/source_map.hpp"
#include "pipeline.hpp"

namespace svc::devapi {
namespace {

using Clock = std::chrono::steady_clock;

double ms_since(Clock::time_point start) {
    return std::chrono::duration<double, std::milli>(Clock::now() - start).count();
}

class Apply {
  public:
    Apply(const Workshop& shop, const ProjectRef& project, const std::string& contract, bool force,
          const Progress& progress)
        : shop_(shop),
          project_(project),
          contract_(contract),
          force_(force),
          progress_(progress),
          database_(app_database(shop.config, project.id, app_.second)) {}

    ApplyOutcome run();

  private:
    using Step = bool (Apply::*)();
    bool stage(const char* name, Step step);
    bool check();
    bool emit();
    bool build();
    bool provision();
    bool start();
    bool migrate();
    bool swap();
    void write_files();
    std::string folder(const char* below) const {
        return project_folder(shop_.config, project_.id, app_.second) + below;
    }
    void undo();

    void tell(const Stage& stage) const {
        if (progress_) progress_(stage);
    }
    void add_findings(diag::Findings findings);
    bool unchanged();
    bool committed();
    bool fail(std::string error);
    migrate::Target target() const;

    const Workshop& shop_;
    const ProjectRef& project_;
    const std::string& contract_;
    const bool force_;
    const Progress& progress_;
    const AppId app_{project_.id, "dev"};
    const AppDatabase database_;

    std::optional<plan::Plan> plan_;
    emit::FileSet files_;
    std::future<emit::FileSet> formatted_;  // the same for readers, laid out while the build runs
    Launch launch_;
    std::optional<ContractRecord> before_;  // none: the first apply
    bool made_database_ = false, keeps_server_ = false;
    migrate::Record record_;
    Process::Self server_;
    ApplyOutcome outcome_;
    std::string detail_;
};

// A later apply starts the new server before it touches the database: after the commit nothing is
// left that can fail but moving a pointer. A first one has no tables yet that a server could start
// on, and nothing that a failure could harm.
ApplyOutcome Apply::run() {
    const bool done =
        stage("check", &Apply::check) &&          //
        stage("emit", &Apply::emit) &&            //
        stage("build", &Apply::build) &&          //
        stage("provision", &Apply::provision) &&  //
        (before_ ? stage("start", &Apply::start) && stage("migrate", &Apply::migrate)
                 : stage("migrate", &Apply::migrate) && stage("start", &Apply::start)) &&
        stage("swap", &Apply::swap);
    if (!done) undo();
    outcome_.summary = summarise(outcome_);
    return std::move(outcome_);
}

bool Apply::stage(const char* name, Step step) {
    const auto start = Clock::now();
    tell({name, "running", 0, {}});
    detail_.clear();
    bool done = false;
    try {
        done = (this->*step)();
    } catch (const std::exception& error) {
        fail(error.what());
    }
    if (!done && outcome_.status == ApplyOutcome::Status::failed) outcome_.failed_stage = name;
    tell({name, done ? "done" : "failed", ms_since(start), done ? detail_ : outcome_.error});
    return done;
}

bool Apply::check() {
    pipeline::Checked checked = pipeline::check(contract_, maintenance_url(shop_.config));
    outcome_.findings = std::move(checked.findings);
    plan_ = std::move(checked.plan);
    if (!plan_) {
        outcome_.status = ApplyOutcome::Status::invalid;
        return false;
    }
    outcome_.edited = pipeline::hand_edited(folder("/generated"));
    if (outcome_.edited.empty() || force_) return true;
    outcome_.status = ApplyOutcome::Status::hand_edited;
    return false;
}

bool Apply::emit() {
    files_ = pipeline::emit(*plan_);
    formatted_ = std::async(std::launch::async, build::formatted, files_, shop_.config.build.cache);
    detail_ = std::to_string(files_.size()) + " files";
    return true;
}

bool Apply::build() {
    build::Result result = build::compile(files_, shop_.config.build);
    outcome_.build_seconds = result.seconds;
    outcome_.units = result.units;
    outcome_.cached = result.cached;
    if (!result.ok) return fail(result.stage + ": " + result.error);
    launch_ = make_launch(shop_.config, project_, app_.second, database_,
                          keep_binary(result.binary, folder("/bin")));
    detail_ =
        std::to_string(result.cached) + " of " + std::to_string(result.units) + " units cached";
    return true;
}

bool Apply::provision() {
    made_database_ = devapi::provision(shop_.config, database_);
    before_ = read_record(database_);
    keeps_server_ = unchanged();
    record_ = {before_ ? before_->version : 1, contract_, plan_->contract_hash, launch_.binary};
    if (before_ && !(keeps_server_ && before_->hash == record_.hash)) ++record_.version;
    return true;
}

// Nothing to start: the live server is this one, and the database is as the plan wants it.
bool Apply::unchanged() {
    if (!before_ || !shop_.supervisor.runs(app_, launch_)) return false;
    const auto preview = migrate::preview(*plan_, target());
    return preview.ok && preview.changes.empty();
}

// The keys are written first, so that the server reads them as it starts.
bool Apply::start() {
    shop_.keys.write(project_.id, database_);
    if (keeps_server_) {
        detail_ = "unchanged";
        return true;
    }
    auto [process, error] = shop_.supervisor.start_beside(app_, launch_);
    server_ = std::move(process);
    return server_ ? true : fail(error);
}

bool Apply::migrate() {
    try {
        auto result = migrate::apply(*plan_, target(), record_);
        outcome_.plan = std::move(result.changes);
        outcome_.unmanaged = std::move(result.leftovers);
        add_findings(std::move(result.findings));
        if (!result.ok) {
            outcome_.status = ApplyOutcome::Status::invalid;
            return false;
        }
    } catch (const std::exception&) {
        // A connection that broke on commit leaves the question whether it did. The database
        // answers.
        if (!committed()) throw;
    }
    detail_ = std::to_string(outcome_.plan.size()) + " changes";
    return true;
}

bool Apply::swap() {
    const auto start = Clock::now();
    if (server_) shop_.supervisor.promote(app_, server_);
    // It is live: from here on nothing may fail the apply, or undo what serves.
    server_.reset();
    made_database_ = false;
    outcome_.swap_ms = ms_since(start);
    outcome_.version = record_.version;
    outcome_.status = ApplyOutcome::Status::applied;
    shop_.board.change(project_.id, [this](AppState& state) {
        state.built = true;
        state.version = record_.version;
        state.contract = contract_;
        state.last_error.reset();
    });
    write_files();
    return true;
}

// The folder holds what is live: it is written once that is so. For readers alone, so where it
// cannot be written that is a warning.
void Apply::write_files() try {
    const std::string generated = folder("/generated");
    std::filesystem::create_directories(generated);
    keep_copies(generated, outcome_.edited, folder("/backups"));
    pipeline::write(formatted_.get(), generated);
    std::ofstream(generated + "/svc.json", std::ios::binary) << contract_;
    drop_binaries(folder("/bin"), {launch_.binary, before_ ? before_->binary_path : ""});
} catch (const std::exception& error) {
    outcome_.findings.warning(
        "FILES_NOT_WRITTEN", "",
        std::string("The contract is live, but its generated files could not be written: ") +
            error.what() + ".",
        "Mend the folder, then apply once more.");
}

// Old server, schema and contract are as they were. A database that this apply made goes again: it
// holds nothing that is not in the contract.
void Apply::undo() {
    try {
        if (server_) shop_.supervisor.discard(server_);
        if (made_database_) {
            shop_.keys.close(project_.id);
            drop(shop_.config, database_);
        }
    } catch (const std::exception& error) {
        outcome_.error += std::string("\nWhat it left could not be cleared away: ") + error.what();
    }
    if (outcome_.status == ApplyOutcome::Status::failed)
        shop_.board.change(project_.id, [this](AppState& state) {
            state.last_error = outcome_.failed_stage + ": " + outcome_.error;
        });
}

bool Apply::committed() {
    try {
        const auto now = read_record(database_);
        return now && now->version == record_.version && now->hash == record_.hash &&
               now->binary_path == record_.binary_path;
    } catch (const std::exception&) {
        return false;
    }
}

bool Apply::fail(std::string error) {
    outcome_.status = ApplyOutcome::Status::failed;
    outcome_.error = std::move(error);
    return false;
}

void Apply::add_findings(diag::Findings findings) {
    diag::SourceMap(contract_).locate(findings);
    for (auto& finding : findings.items()) outcome_.findings.add(std::move(finding));
    outcome_.findings.sort();
}

migrate::Target Apply::target() const {
    return {database_.admin_url, database_.owner_role, database_.data_role, database_.system_role};
}

}  // namespace

ApplyOutcome apply(const Workshop& shop, const ProjectRef& project, const std::string& contract,
                   bool force, const Progress& progress) {
    return Apply(shop, project, contract, force, progress).run();
}

void rebuild(const Workshop& shop, const ProjectRef& project, const ContractRecord& record) {
    std::string error;
    try {
        const AppId app{project.id, "dev"};
        const auto checked = pipeline::check(record.contract, maintenance_url(shop.config));
        if (!checked.plan) throw std::runtime_error("the recorded contract is no longer accepted");
        const auto built = build::compile(pipeline::emit(*checked.plan), shop.config.build);
        if (!built.ok) throw std::runtime_error(built.stage + ": " + built.error);
        const auto database = app_database(shop.config, project.id, app.second);
        const std::string binary =
            keep_binary(built.binary, project_folder(shop.config, project.id, app.second) + "/bin");
        record_binary(database, binary);
        shop.supervisor.resume(app,
                               make_launch(shop.config, project, app.second, database, binary));
    } catch (const std::exception& failure) {
        error = failure.what();
    }
    if (error.empty()) return;
    shop.board.change(project.id, [&error](AppState& state) {
        state.last_error = "The app's binary was lost and could not be built again: " + error;
    });
}

}  // namespace svc::devapi
