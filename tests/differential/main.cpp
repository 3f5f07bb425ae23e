// Random conditions mean the same in SQL, in a policy, in a trigger and in C++: on every row, for
// every caller. SVC_DIFF_SEED and SVC_DIFF_COUNT choose others than those that are always run.
#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <iostream>
#include <sstream>

#include "backends.hpp"
#include "contract/parse.hpp"
#include "looks.hpp"
#include "model/resolve.hpp"
#include "paths.hpp"
#include "plan/access/read_key.hpp"
#include "plan/planner.hpp"

namespace {

using namespace svc;
using namespace svc::differential;

constexpr std::size_t kFaultCases = 150;  // among which a planted fault must be found
constexpr int kMaxReports = 5;

std::size_t setting(const char* name, std::size_t otherwise) {
    const char* text = std::getenv(name);
    return text == nullptr ? otherwise : std::strtoul(text, nullptr, 10);
}

struct App {
    model::Model model;
    plan::Plan plan;
};

App read_app(const std::string& timezone) {
    std::ifstream file(SVC_SOURCE_DIR "/tests/differential/contract.json");
    std::stringstream text;
    text << file.rdbuf();
    std::string contract = text.str();
    contract.replace(contract.find("\"UTC\""), 5, "\"" + timezone + "\"");
    const contract::Parsed parsed = contract::parse(contract);
    model::Resolved resolved = model::resolve(parsed.contract.value());
    plan::PlanResult planned = plan::make_plan(resolved.model.value(), "hash");
    return {std::move(*resolved.model), std::move(planned.plan.value())};
}

// A condition by which feeds find callers, joined to another one by "and" or by "or".
Written beside_key(const Written& other, Dice& dice) {
    static const std::vector<std::pair<std::string, std::string>> kKeys = {
        {"user_id", "user.id"}, {"who", "user.id"}, {"code", "user.org"}, {"note", "user.email"}};
    const auto key = [&dice] {
        if (dice.chance(20))
            return std::string("user.id in [") + kRow + "user_id, " + kRow + "who]";
        const auto& [column, of] = dice.one(kKeys);
        return std::string(1, kRow) + column + " == " + of;
    };
    std::string text = key() + " && (" + other.text + ")";
    if (dice.chance(50)) text = key() + " || (" + text + ")";
    return {text, true, {other}};
}

std::vector<Case> random_cases(const model::Model& model, Dice& dice, std::size_t count) {
    std::vector<Case> out;
    while (out.size() < count) {
        const Reach reach{.walks = dice.chance(30), .rule = dice.chance(30)};
        Written written = random_condition(dice, reach);
        if (!reach.rule && dice.chance(20)) written = beside_key(written, dice);
        auto one = read_case(model, written, reach.rule);
        if (one) out.push_back(std::move(*one));
    }
    return out;
}

bool agree(const Decisions& decisions) {
    for (const auto& [backend, answers] : decisions) {
        if (answers != decisions.at(Backend::sql)) return false;
    }
    return true;
}

void conditions_of(const Written& written, std::vector<Written>& out) {
    for (const Written& part : written.parts) {
        if (part.condition) out.push_back(part);
        conditions_of(part, out);
    }
}

class Differential {
  public:
    Differential(const char* server, const std::string& timezone, std::uint64_t seed)
        : app_(read_app(timezone)),
          dice_(seed),
          people_(people(app_.plan)),
          world_(server, app_.plan, dice_),
          compiled_(SVC_BUILD_DIR "/differential-" + timezone.substr(0, 3), app_.plan),
          backends_(app_.model, app_.plan, world_, compiled_) {}

    // True if all agree.
    bool run(std::size_t count) {
        const std::vector<Case> cases = random_cases(app_.model, dice_, count);
        const std::vector<Decisions> decided = backends_.decide(cases);
        std::map<Backend, std::size_t> forms;
        std::size_t decisions = 0;
        int reports = 0;
        for (std::size_t i = 0; i < cases.size(); ++i) {
            for (const auto& [backend, answers] : decided[i]) {
                ++forms[backend];
                for (const Answers& each : answers) decisions += each.size();
            }
            if (!keys_hold(cases[i], decided[i].at(Backend::sql))) ++reports;
            if (agree(decided[i])) continue;
            if (++reports <= kMaxReports) report(cases[i], decided[i]);
        }
        std::cout << app_.plan.timezone << ": " << cases.size() << " conditions, "
                  << forms[Backend::policy] << " in policies, " << forms[Backend::cpp]
                  << " in C++, " << keyed_ << " with keys, " << forms[Backend::meaning]
                  << " read by the test, " << decisions << " decisions, " << reports
                  << " disagreements\n";
        decisions_ += decisions;
        cpp_forms_ += forms[Backend::cpp];
        return reports == 0;
    }

    // True if the planted fault is found, in the back end that has it.
    bool finds(const Fault& fault) {
        Dice dice(7);
        const std::vector<Case> cases = random_cases(app_.model, dice, kFaultCases);
        std::size_t found = 0;
        for (const Decisions& decisions : backends_.decide(cases, &fault)) {
            found += agree(decisions) ? 0 : 1;
        }
        std::cout << "planted in " << name_of(fault.backend) << ", " << fault.label << ": found in "
                  << found << " of " << cases.size() << "\n";
        return found > 0;
    }

    bool looks_hold(std::size_t policies) {
        LookTrials trials(app_.model, app_.plan, world_, people_, dice_);
        return trials.run(policies);
    }

    static std::size_t decisions_, cpp_forms_;

  private:
    // Wherever it is true, a key of it holds: a column equals what the caller is.
    bool keys_hold(const Case& one, const std::vector<Answers>& answers) {
        if (!one.on_row) return true;
        const auto keys = plan::keys_of(app_.model, *one.on_row);
        if (!keys) return true;
        ++keyed_;
        for (std::size_t who = 0; who < answers.size(); ++who) {
            for (std::size_t row = 0; row < answers[who].size(); ++row) {
                const bool holds = std::any_of(keys->begin(), keys->end(), [&](const auto& key) {
                    return holds_for(key, people_[who], world_.before()[row]);
                });
                if (answers[who][row] != '1' || holds) continue;
                std::cout << "\nNo key of it holds: " << one.written.text << "\n";
                return false;
            }
        }
        return true;
    }

    bool holds_for(const plan::ReadKey& key, const Person& person, const Cells& row) const {
        const auto& columns = app_.plan.entities[kThing].columns;
        const auto at = std::find_if(columns.begin(), columns.end(),
                                     [&](const auto& each) { return each.name == key.column; });
        const Cell& cell = row[static_cast<std::size_t>(at - columns.begin())];
        using Of = plan::ReadKey::Of;
        const Cell& own = key.of == Of::id    ? person.id
                          : key.of == Of::org ? person.org
                                              : person.email;
        return cell && own && *cell == *own;
    }

    // The smallest part that they still disagree on.
    void report(const Case& whole, const Decisions& decisions) {
        std::vector<Written> parts;
        conditions_of(whole.written, parts);
        std::vector<Case> cases;
        for (const Written& part : parts) {
            if (auto one = read_case(app_.model, part, whole.rule))
                cases.push_back(std::move(*one));
        }
        const std::vector<Decisions> decided = backends_.decide(cases);
        const Case* smallest = &whole;
        const Decisions* about = &decisions;
        for (std::size_t i = 0; i < cases.size(); ++i) {
            const bool smaller = cases[i].written.text.size() < smallest->written.text.size();
            if (agree(decided[i]) || !smaller) continue;
            smallest = &cases[i];
            about = &decided[i];
        }
        show(*smallest, *about);
    }

    void show(const Case& one, const Decisions& decisions) {
        std::cout << "\nThey disagree on: " << with_rows(one.written.text, one.rule ? "new." : "")
                  << "\n";
        for (const auto& [backend, answers] : decisions) {
            std::cout << "  " << name_of(backend) << ": " << backends_.text(one, backend) << "\n";
        }
        for (const auto& [backend, answers] : decisions) {
            if (answers.size() == people_.size()) continue;
            std::cout << "  " << name_of(backend) << " cannot tell: " << answers.at(0) << "\n";
            return;
        }
        for (std::size_t who = 0; who < people_.size(); ++who) {
            for (std::size_t row = 0; row < kThings; ++row) {
                bool same = true;
                for (const auto& [backend, answers] : decisions) {
                    same = same && answers[who][row] == decisions.at(Backend::sql)[who][row];
                }
                if (same) continue;
                show_row(decisions, who, row, one.rule);
                return;
            }
        }
    }

    void show_row(const Decisions& decisions, std::size_t who, std::size_t row, bool rule) {
        std::cout << "  " << people_[who].label << ", row " << row + 1 << ":";
        for (const auto& [backend, answers] : decisions) {
            std::cout << " " << name_of(backend) << " says " << answers[who][row];
        }
        std::cout << "\n";
        const auto& columns = app_.plan.entities[kThing].columns;
        for (std::size_t i = 0; i < columns.size(); ++i) {
            const auto text = [](const Cell& cell) { return cell ? "'" + *cell + "'" : "null"; };
            std::cout << "    " << columns[i].name << " = " << text(world_.before()[row][i]);
            if (rule) std::cout << " -> " << text(world_.after()[row][i]);
            std::cout << "\n";
        }
    }

    App app_;
    Dice dice_;
    std::vector<Person> people_;
    World world_;
    Compiled compiled_;
    Backends backends_;
    std::size_t keyed_ = 0;
};

std::size_t Differential::decisions_ = 0;
std::size_t Differential::cpp_forms_ = 0;

// Each is a mistake that someone could make in one back end.
const std::vector<Fault>& faults() {
    static const std::vector<Fault> kFaults = {
        {Backend::sql, "not of a null is null", ") is not true", ") = false"},
        {Backend::policy, "not of a null is null", ") is not true", ") = false"},
        {Backend::crowd, "a caller is anybody", "(_caller.id)", "(select svc.user_id())"},
        {Backend::trigger, "an if that takes null for yes", "then\n            perform",
         "is not false then\n            perform"},
        {Backend::cpp, "null equals null", "a.known_ && b.known_ && a.value_ == b.value_",
         "a.known_ == b.known_ && a.value_ == b.value_"},
        {Backend::cpp, "null is the least", "return a.known_ && b.known_ && a.value_ < b.value_",
         "return b.known_ && (!a.known_ || a.value_ < b.value_)"},
    };
    return kFaults;
}

}  // namespace

int main() {
    const char* server = std::getenv("SVC_TEST_DATABASE_URL");
    if (server == nullptr) {
        std::cerr << "SVC_TEST_DATABASE_URL is not set\n";
        return 2;
    }
    const std::size_t seed = setting("SVC_DIFF_SEED", 1);
    const std::size_t count = setting("SVC_DIFF_COUNT", 2200);
    bool sound = true;
    {
        Differential utc(server, "UTC", seed);
        sound = utc.run(count * 2 / 3) && sound;
        sound = utc.looks_hold(count / 5) && sound;
        for (const Fault& fault : faults()) sound = utc.finds(fault) && sound;
    }
    Differential elsewhere(server, "Europe/Paris", seed + 1);
    sound = elsewhere.run(count - count * 2 / 3) && sound;
    std::cout << "seed " << seed << ": " << Differential::decisions_ << " decisions, "
              << Differential::cpp_forms_ << " conditions in C++\n";
    return sound ? 0 : 1;
}
