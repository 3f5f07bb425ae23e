#include "verify/verify.hpp"

#include <chrono>
#include <exception>
#include <filesystem>
#include <stdexcept>

#include "contract/parse.hpp"
#include "model/resolve.hpp"
#include "pipeline.hpp"
#include "platform/log_words.hpp"
#include "verify/app/server.hpp"
#include "verify/clone/fixtures.hpp"
#include "verify/subject.hpp"

namespace svc::devapi::verification {
namespace {

// The browser comes last, because it may take minutes.
constexpr CheckStep kChecks[] = {
    {"schema", check_schema},       {"seeds", check_seeds},
    {"access", check_access},       {"fields", check_fields},
    {"rules", check_rules},         {"lifecycles", check_lifecycles},
    {"restores", check_restores},   {"statements", check_statements},
    {"server", check_server},       {"queries", check_queries},
    {"search", check_search},       {"openapi", check_openapi},
    {"topics", check_topics},       {"feeds", check_feeds},
    {"history", check_history},     {"functions", check_functions},
    {"workflows", check_workflows}, {"external", check_external},
    {"pages", check_pages},         {"components", check_components},
    {"browser", check_browser},
};

constexpr double kMostMs = 120'000;  // of all together; what has not begun by then is not begun
constexpr unsigned kTries = 3;       // at a clone of one state of the app

using Clock = std::chrono::steady_clock;

double since(Clock::time_point start) {
    return std::chrono::duration<double, std::milli>(Clock::now() - start).count();
}

bool same_state(const std::optional<ContractRecord>& one, const ContractRecord& other) {
    return one && one->version == other.version && one->apply_id == other.apply_id;
}

model::Model model_of(const std::string& contract) {
    const auto parsed = contract::parse(contract);
    if (parsed.contract)
        if (auto resolved = model::resolve(*parsed.contract); resolved.model)
            return std::move(*resolved.model);
    throw std::runtime_error("The live contract can no longer be read. Apply it again.");
}

// Rows that cannot be copied are a finding. A lost connection to PostgreSQL is not.
std::string copy_rows(Clone& clone, const plan::Plan& plan) try {
    clone.load_rows(plan);
    return {};
} catch (const pqxx::broken_connection&) {
    throw;
} catch (const pqxx::failure& error) {
    return log_words(error);
}

struct State {
    ContractRecord record;
    std::string no_rows;  // why its rows could not be copied, or empty
};

// An apply that commits meanwhile would leave the schema of one contract beside the other.
State clone_one_state(const AppsConfig& config, Clone& clone, pipeline::Checked& checked) {
    for (unsigned attempt = 1;; ++attempt) {
        const auto record = read_record(clone.source());
        if (!record) throw std::runtime_error("Nothing was applied to this project yet.");
        checked = pipeline::check(record->contract, proving(config));
        if (!checked.plan)
            throw std::runtime_error("The live contract can no longer be read. Apply it again.");
        if (attempt > 1) clone.renew();
        clone.load(config);
        std::string no_rows = copy_rows(clone, *checked.plan);
        if (same_state(read_record(clone.source()), *record)) return {*record, std::move(no_rows)};
        if (attempt == kTries)
            throw std::runtime_error("The app is being changed right now. Try again.");
    }
}

void without_rows(const std::string& why, VerifyReport& report) {
    VerifyCheck rows;
    rows.name = "rows";
    rows.bad("The rows of dev could not be copied: " + why);
    report.checks.push_back(std::move(rows));
    for (const CheckStep& step : kChecks) {
        VerifyCheck check;
        check.name = step.name;
        not_run(check, "There are no rows to try this on.");
        report.checks.push_back(std::move(check));
    }
}

void begin_check(const CheckStep& step, Subject& subject, VerifyCheck& check) {
    if (subject.options.progress) subject.options.progress(step.name, {});
    step.run(subject, check);
}

// An exception in a check counts as a failure of the checked part.
void run_check(const CheckStep& step, Subject& subject, double spent, VerifyReport& report) {
    VerifyCheck check;
    check.name = step.name;
    const auto start = Clock::now();
    try {
        if (spent > kMostMs)
            check.bad("There was no time left for this check.");
        else
            begin_check(step, subject, check);
    } catch (const std::exception& error) {
        check.bad(std::string("This check stopped early: ") + log_words(error));
    }
    check.ms = since(start);
    report.checks.push_back(std::move(check));
}

void prepare(Subject& subject, VerifyReport& report) try {
    const auto filled = make_fixtures(subject);
    for (const auto& entity : filled.without)
        report.checks.back().warnings.push_back("No rows could be created for " + entity + ".");
} catch (const std::exception& error) {
    subject.connection.run("rollback");
    VerifyCheck check;
    check.name = "rows";
    check.bad(std::string("No rows could be created to try things on: ") + log_words(error));
    report.checks.push_back(std::move(check));
}

std::string rows_words(const Clone& clone) {
    std::string partly;
    std::int64_t rows = 0;
    for (const CopiedTable& taken : clone.copied()) {
        rows += taken.rows;
        if (!taken.all)
            partly += (partly.empty() ? "" : ", ") + taken.table + " (" +
                      std::to_string(taken.rows) + ")";
    }
    return std::to_string(rows) + " rows of dev" +
           (partly.empty() ? "" : "; only the newest rows of " + partly);
}

std::string summary_of(const VerifyReport& report, const Clone& clone) {
    std::size_t cases = 0, failed = 0, passed = 0, not_run = 0;
    std::string first, rest;
    for (const auto& check : report.checks) {
        if (!check.rest.empty()) rest += " " + check.rest;
        cases += check.cases;
        passed += check.result == VerifyCheck::Result::passed;
        not_run += check.result == VerifyCheck::Result::not_run;
        if (check.result != VerifyCheck::Result::failed) continue;
        ++failed;
        if (first.empty()) first = check.name + ": " + check.counter_example;
    }
    return "Version " + std::to_string(report.version) + (report.pass ? " passes: " : " fails: ") +
           std::to_string(cases) + " cases in " + std::to_string(passed + failed) + " checks on " +
           rows_words(clone) + "; " + std::to_string(failed) + " failed, " +
           std::to_string(not_run) + " not run." + (first.empty() ? "" : " First, " + first) + rest;
}

}  // namespace

void not_run(VerifyCheck& check, std::string why) {
    check.result = VerifyCheck::Result::not_run;
    check.said = std::move(why);
}

void not_served(VerifyCheck& check) {
    not_run(check, "The app server did not start, so it could not be asked.");
}

std::optional<VerifyReport> verify(const ApplyServices& services, const ProjectRef& project,
                                   Browser& browser, const VerifyOptions& options) {
    const auto start = Clock::now();
    const auto clone = Clone::take(services.config, project.id);
    if (!clone) return std::nullopt;
    pipeline::Checked checked;
    const auto [record, no_rows] = clone_one_state(services.config, *clone, checked);
    const model::Model model = model_of(record.contract);
    const auto callers = all_callers(model);
    CloneConnection connection(clone->database());
    VerifyReport report;
    report.version = record.version;
    report.apply_id = record.apply_id;
    report.hash = record.hash;
    report.binary = record.binary_path;
    if (!no_rows.empty()) {
        without_rows(no_rows, report);
    } else {
        Subject subject{services,      project, browser, options,    record, model,
                        *checked.plan, callers, *clone,  connection, {}};
        for (const auto& step : kChecks) {
            if (step.run == check_access) prepare(subject, report);
            run_check(step, subject, since(start), report);
        }
    }
    report.pass = true;
    for (const auto& check : report.checks)
        report.pass = report.pass && check.result != VerifyCheck::Result::failed;
    report.summary = summary_of(report, *clone);
    report.ms = since(start);
    return report;
}

void sweep_clones(const AppsConfig& config) {
    std::error_code ignored;
    namespace fs = std::filesystem;
    for (const auto& project : fs::directory_iterator(config.home + "/projects", ignored))
        fs::remove_all(project.path() / "verify", ignored);
    drop_left_clones(config);
}

}  // namespace svc::devapi::verification
