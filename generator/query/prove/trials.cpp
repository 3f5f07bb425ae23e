#include "query/prove/trials.hpp"

#include <algorithm>

#include "base/utf8.hpp"
#include "plan/names.hpp"

namespace svc::query {
namespace {

constexpr std::size_t kShown = 60;

std::string shortened(const std::string& text) {
    if (text.size() <= kShown) return text;
    std::size_t end = kShown;  // not within a character
    while (end > 0 && base::continues_character(text[end])) --end;
    return text.substr(0, end) + "…";
}

// Asked of all of them at once, as most contracts are right.
void try_values(ScratchConnection& scratch, const plan::Pattern& pattern,
                diag::Findings& findings) {
    const std::string matches = " ~ " + plan::literal(pattern.text);
    std::string all;
    for (const plan::PatternValue& value : pattern.values) {
        all += (all.empty() ? "" : ", ") + plan::literal(value.text);
    }
    Refusal refusal;
    const std::string list = "select bool_and(v" + matches + ") from unnest(array[" + all + "]) v";
    if (all.empty() || scratch.ask(list, refusal) != false) return;
    for (const plan::PatternValue& value : pattern.values) {
        if (scratch.ask("select " + plan::literal(value.text) + matches, refusal) != false)
            continue;
        findings.error(value.code, value.path,
                       value.of + " does not match the pattern " + pattern.text + ".",
                       "change the value, or the pattern of the field");
    }
}

bool refuses(ScratchConnection& scratch, const plan::SeedRule& rule, std::size_t first,
             std::size_t count) {
    std::string rows;
    for (std::size_t i = first; i < first + count; ++i) {
        rows += (rows.empty() ? "" : " union all ") + ("select * from " + rule.rows[i].sql + " _r");
    }
    Refusal refusal;
    const std::string question =
        "select coalesce(bool_or(" + rule.refuse + "), false) from (" + rows + ") \"new\"";
    // If it cannot be decided here, the error shows when the row is written.
    return scratch.ask(question, refusal).value_or(false);
}

// Many rows at a time, as most keep to the rules.
void try_rule(ScratchConnection& scratch, const plan::SeedRule& rule, Budget& budget,
              diag::Findings& findings) {
    constexpr std::size_t kAtATime = 100;
    for (std::size_t begin = 0; begin < rule.rows.size(); begin += kAtATime) {
        const std::size_t count = std::min(kAtATime, rule.rows.size() - begin);
        budget.begin(rule.rows[begin].path, "A rule of the row at " + rule.rows[begin].path);
        if (!refuses(scratch, rule, begin, count)) continue;
        for (std::size_t i = begin; i < begin + count; ++i) {
            if (!refuses(scratch, rule, i, 1)) continue;
            findings.error("BAD_SEED", rule.rows[i].path,
                           "A rule refuses this row: \"" + rule.message + "\".",
                           "change the row, or the rule");
        }
    }
}

}  // namespace

void try_patterns(ScratchConnection& scratch, const plan::Plan& plan, Budget& budget,
                  diag::Findings& findings) {
    for (const plan::Pattern& pattern : plan.patterns) {
        budget.begin(pattern.path, "The pattern " + shortened(pattern.text));
        Refusal refusal;
        if (scratch.ask("select '' ~ " + plan::literal(pattern.text), refusal)) {
            try_values(scratch, pattern, findings);
            continue;
        }
        findings.error("BAD_PATTERN", pattern.path,
                       "PostgreSQL cannot read this pattern: " + refusal.message + ".",
                       "Write a POSIX regular expression.");
    }
}

void try_rules(ScratchConnection& scratch, const plan::Plan& plan, Budget& budget,
               diag::Findings& findings) {
    for (const plan::SeedRule& rule : plan.seed_rules) try_rule(scratch, rule, budget, findings);
}

}  // namespace svc::query
