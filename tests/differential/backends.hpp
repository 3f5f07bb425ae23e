// One condition in every back end, asked about every row as every caller.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "compiled.hpp"
#include "interpreter.hpp"
#include "model/model.hpp"
#include "random_expr.hpp"
#include "world.hpp"

namespace svc::differential {

enum class Backend { sql, policy, crowd, trigger, cpp, meaning };
const char* name_of(Backend backend);

struct Case {
    Written written;
    bool rule = false;       // about the old and the new row; else about one row
    model::ExprPtr on_row;   // null for rules
    model::ExprPtr in_rule;  // the same over new.
};

// Nothing if it does not type-check.
std::optional<Case> read_case(const model::Model& model, const Written& written, bool rule);

// A text that is put into one back end's output instead of another: a mistake that must be found.
struct Fault {
    Backend backend;
    const char* label;
    std::string from, to;
};

using Decisions = std::map<Backend, std::vector<Answers>>;

class Backends {
  public:
    Backends(const model::Model& model, const plan::Plan& plan, World& world, Compiled& compiled)
        : model_(model), world_(world), compiled_(compiled), interpreter_(model, plan, world) {}

    std::vector<Decisions> decide(const std::vector<Case>& cases, const Fault* fault = nullptr);
    // The text that a back end makes of the case, for reports.
    std::string text(const Case& one, Backend backend);

  private:
    std::string sql(const Case& one) const;
    void grant(const Case& one);  // to everybody
    std::vector<std::string> policy(const Case& one);
    // Asks about all callers at once.
    std::vector<std::string> crowd(const Case& one);
    std::vector<std::string> trigger(const Case& one);
    std::optional<std::string> cpp(const Case& one) const;
    std::string put(Backend backend, std::string text, const Fault* fault) const;
    void make(const std::vector<std::string>& statements, Backend backend, const Fault* fault);

    model::Model model_;
    World& world_;
    Compiled& compiled_;
    Interpreter interpreter_;
};

}  // namespace svc::differential
