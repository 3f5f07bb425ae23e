// Checks that the live app does what its contract says. The checks run on a temporary clone of the
// dev database, and read the contract themselves instead of trusting the generated code.
//
// verify() returns the report; `pass`, `version`, `apply_id` and `binary` identify what was
// verified. The report holds as long as svc.contract names that apply.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "apps/apply/apply.hpp"

namespace svc::devapi {
class Browser;
}

namespace svc::devapi::verification {

// One step of a run on the clone: what it did there, or the call that it would have made.
struct VerifyEffect {
    std::string kind;    // http, email, notify, publish, create, update, sleep, start, …
    std::string target;  // "POST api.example.com/charges", an address, a topic, a table
};

// What a function or workflow did on the clone, without calls of other services.
struct VerifyRun {
    std::string of;  // "workflow low_stock"
    std::string by;  // what began it: "manager (1)", "a row of order_line was created"
    std::vector<VerifyEffect> effects;  // in order
    std::size_t more = 0;               // effects that are not listed
    std::string ended;  // "succeeded", "failed at pay: There is no such row. (NOT_FOUND)"
};

struct VerifyCheck {
    enum class Result { passed, failed, not_run };

    std::string name;  // schema, access, queries, rules, lifecycles, seeds, statements, openapi, …
    Result result = Result::passed;
    double ms = 0;
    std::size_t cases = 0, failures = 0;
    std::string said;                   // what was checked; not_run: why not. A sentence
    std::string rest;                   // what was left for another time. A sentence, or empty
    std::string counter_example;        // the first failure, in plain words
    std::vector<std::string> findings;  // all of them, where an author mends each by itself
    std::vector<std::string> warnings;  // what is worth a look and no failure
    std::vector<VerifyRun> runs;

    // Counts one more checked case.
    void good() { ++cases; }
    void bad(const std::string& words);
};

struct VerifyReport {
    bool pass = false;  // no check failed, and at least one was run
    std::int64_t version = 0;
    std::string apply_id, hash, binary;  // of the contract and the server that were verified
    std::vector<VerifyCheck> checks;
    std::string summary;  // a sentence
    double ms = 0;
};

// {pass, checks: [{name, pass, ms, detail}], summary, version}; `pass` of a check that was not run
// is null.
nlohmann::ordered_json report_json(const VerifyReport& report);

// For whom an app is verified. What is given here may be called from any thread.
struct VerifyOptions {
    std::chrono::seconds page_time{20};  // for opening pages in a browser
    // A check begins (no words), or says how far it is. May be empty.
    std::function<void(std::string_view check, const std::string& words)> progress = {};
    // False once nobody waits for the report any more: then no other page is opened. May be empty.
    std::function<bool()> awaited = {};
};

// Nothing while the same project is being verified, by this svcd or another one on the same
// PostgreSQL. Blocks, two minutes at most, then until the check that is under way ends, and for the
// time of pages; worker threads only. Something must have been applied. Throws pqxx::failure,
// DumpFailed, std::runtime_error where the clone cannot be had.
std::optional<VerifyReport> verify(const ApplyServices& services, const ProjectRef& project,
                                   Browser& browser, const VerifyOptions& options = {});

// Drops the clones of verifications that are over. For the start of svcd.
void sweep_clones(const AppsConfig& config);

}  // namespace svc::devapi::verification
