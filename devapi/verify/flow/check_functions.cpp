// Functions: what each does on the clone, and over HTTP who may call it and what they are answered.
#include <algorithm>
#include <chrono>
#include <nlohmann/json.hpp>

#include "http/error.hpp"
#include "verify/app/server.hpp"
#include "verify/flow/flow_drive.hpp"
#include "verify/flow/flow_samples.hpp"
#include "verify/flow/flow_shape.hpp"
#include "verify/flow/flow_words.hpp"

namespace svc::devapi::verification {
namespace {

using nlohmann::json;

constexpr std::size_t kSamples = 3;              // of parameters, until one succeeds
constexpr std::chrono::seconds kMostCalling{8};  // for all functions

class FunctionTrial {
  public:
    FunctionTrial(Subject& subject, VerifyCheck& out, const model::Function& function)
        : subject_(subject),
          out_(out),
          function_(function),
          reach_(reach_of(subject.model, function.steps, function.run_as)) {}

    bool can_be_tried() const { return can_be_driven(subject_, function_.name, false, reach_); }

    const std::string& name() const { return function_.name; }

    // Runs it without the server, to see what it does. Uses the first sample that succeeds, else
    // the last.
    void drive(FlowDrive& drive) {
        const VerifyCaller* caller = first_allowed();
        FlowOutcome outcome;
        for (std::size_t n = 0; n < kSamples && !outcome.succeeded(); ++n)
            outcome = drive.call(function_.name, call_state(params(n), caller));
        report_run(out_, "function " + function_.name, caller ? caller->name : "another step",
                   outcome);
    }

    // Over HTTP. Callers who differ by their account alone are asked once.
    void ask_all() {
        std::size_t n = 0;
        std::string before;
        for (const VerifyCaller& caller : subject_.callers) {
            const std::string who = caller.names() + (caller.is_admin ? ", admin" : "");
            if (std::exchange(before, who) != who) ask(caller, n++);
        }
    }

  private:
    json params(std::size_t n) {
        return sample_params(subject_, function_.params, function_.steps, n);
    }

    const VerifyCaller* first_allowed() const {
        const VerifyCaller* out = nullptr;
        for (const VerifyCaller& caller : subject_.callers)
            if (caller.is_any(function_.allow) && (!out || out->id.empty())) out = &caller;
        return out;
    }

    void ask(const VerifyCaller& caller, std::size_t n) {
        const std::string body = json({{"params", params(n)}}).dump();
        const HttpAnswer answered =
            subject_.server->call(caller, "POST", "/functions/" + function_.name, body);
        const json answer = json::parse(answered.body, nullptr, false);
        const json error =
            answer.is_object() ? answer.value("error", json::object()) : json::object();
        const std::string code = error.is_object() ? error.value("code", "") : "";
        const std::string what = "The function " + function_.name + ", called by " + caller.name +
                                 " with " + body + ", answers " + std::to_string(answered.status) +
                                 (code.empty() ? "" : " " + code);
        if (!caller.is_any(function_.allow)) {
            if (answered.status == 403 && code == svc::name(Code::table_forbidden))
                return out_.good();
            return out_.bad(what + "; the contract does not let them call it.");
        }
        const std::string wrong =
            answered.status == 200 ? misshapen_answer(answer)
            : may_refuse(answered.status, code, error)
                ? ""
                : "nothing in the contract refuses that: " + answered.body.substr(0, 200);
        wrong.empty() ? out_.good() : out_.bad(what + "; " + wrong + ".");
    }

    std::string misshapen_answer(const json& answer) const {
        if (!answer.contains("result")) return "there is no result in it";
        const json& result = answer["result"];
        if (!function_.gives) return result.is_null() ? "" : "the contract promises no result";
        return misshapen(*function_.gives, result);
    }

    // Only what its steps can come to. Values of a sample may be none that a row can have.
    bool may_refuse(int status, const std::string& code, const json& error) const {
        if (status == 400) return !error.contains("details") || !reach_.functions.empty();
        if (status == 403) return reach_.as_caller && code != svc::name(Code::table_forbidden);
        if (status == 404) return reach_.writes;
        if (status == 409)
            return code == svc::name(Code::transition_refused) ? reach_.moves : reach_.writes;
        if (status == 422)
            return code == svc::name(Code::function_failed) ? reach_.fails : reach_.writes;
        return false;
    }

    Subject& subject_;
    VerifyCheck& out_;
    const model::Function& function_;
    const Reach reach_;
};

// All of them, as far as time lets.
class FunctionTrials {
  public:
    FunctionTrials(Subject& subject, VerifyCheck& out) : subject_(subject), out_(out) {
        for (const model::Function& function : subject.model.flows.functions) {
            FunctionTrial trial(subject, out, function);
            trial.can_be_tried() ? trials_.push_back(trial) : add(external_, function.name);
        }
    }

    void run() {
        drive_all();
        for (FunctionTrial& trial : trials_)
            Clock::now() < until_ ? trial.ask_all() : add(left_out_, trial.name());
        compare_definitions(subject_, false, out_);
    }

    void report() {
        if (!external_.empty())
            out_.warnings.push_back(
                "Not called, because they may read rows of another database: " + external_ + ".");
        if (!left_out_.empty())
            out_.warnings.push_back("Not called, because enough was called before: " + left_out_ +
                                    ".");
        out_.said = std::to_string(trials_.size()) +
                    " functions, called by each kind of caller. Nothing was sent to others.";
    }

  private:
    using Clock = std::chrono::steady_clock;

    static void add(std::string& names, const std::string& name) {
        names += (names.empty() ? "" : ", ") + name;
    }

    // It holds locks that the server's own statements would wait for.
    void drive_all() {
        const RollbackScope rollback(subject_.connection);
        FlowDrive drive(subject_.connection);
        for (FunctionTrial& trial : trials_)
            if (Clock::now() < until_) trial.drive(drive);
    }

    Subject& subject_;
    VerifyCheck& out_;
    const Clock::time_point until_ = Clock::now() + kMostCalling;
    std::vector<FunctionTrial> trials_;
    std::string external_, left_out_;  // names
};

}  // namespace

void check_functions(Subject& subject, VerifyCheck& out) {
    if (subject.model.flows.functions.empty())
        return not_run(out, "The contract has no functions.");
    if (!subject.server) return not_served(out);
    FunctionTrials trials(subject, out);
    trials.run();
    trials.report();
}

}  // namespace svc::devapi::verification
