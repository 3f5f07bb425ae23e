#include "pipeline_sound.hpp"

#include <algorithm>
#include <utility>

#include "plan/planner.hpp"
#include "plan/table/patterns.hpp"
#include "plan/table/tables.hpp"

namespace svc::pipeline {
namespace {

// Each condition that was written is there, and everybody who was named.
bool all_there(const std::vector<contract::Grant>& in, const std::vector<model::Grant>& out) {
    return std::equal(in.begin(), in.end(), out.begin(), out.end(),
                      [](const auto& given, const auto& made) {
                          return !given.condition || made.condition != nullptr;
                      });
}

bool all_there(const contract::Grants& in, const auto& out) {
    return all_there(in.read, out.read) && all_there(in.create, out.create) &&
           all_there(in.update, out.update) && all_there(in.remove, out.remove);
}

bool all_there(const contract::Access& in, const model::Access& out) {
    if (in.same_as) return out.same_as.has_value();
    return all_there(in.grants, out) && all_there(in.deny, out.deny);
}

bool all_there(const contract::Transition& in, const model::Transition& out) {
    return (!in.condition || out.condition) && in.by.size() == out.by.size() &&
           in.set.size() == out.set.size() &&
           std::all_of(out.set.begin(), out.set.end(),
                       [](const auto& set) { return set.second != nullptr; });
}

bool all_there(const contract::Lifecycle& in, const model::Lifecycle& out) {
    return std::equal(in.transitions.begin(), in.transitions.end(), out.transitions.begin(),
                      out.transitions.end(),
                      [](const auto& given, const auto& made) { return all_there(given, made); });
}

bool all_there(const contract::Entity& in, const model::Entity& out) {
    for (std::size_t i = 0; i < in.fields.size(); ++i) {
        if (in.fields[i].computed && !out.fields[i].computed) return false;
        if (out.fields[i].broken) return false;
    }
    return in.relations.size() == out.relations.size() && in.rules.size() == out.rules.size() &&
           std::all_of(out.rules.begin(), out.rules.end(),
                       [](const model::Rule& rule) { return rule.refuse != nullptr; }) &&
           (!in.access || all_there(*in.access, out.access)) &&
           (!in.lifecycle || (out.lifecycle && all_there(*in.lifecycle, *out.lifecycle)));
}

// /entities/3/fields -> entities; /entities/3 where two names are asked for.
std::string beginning(const std::string& path, int names) {
    std::size_t end = 0;
    for (; names > 0 && end < path.size(); --names) end = path.find_first_of("/#", end + 1);
    return path.substr(0, end);
}

// Parts of an entity that its table is not made of.
const std::set<std::string> kNotOfTables = {"/access", "/rules", "/relations", "/search",
                                            "/indexes"};

// Settings that neither rows nor pages nor flows are made of.
const std::set<std::string> kSettings = {"", "/app", "/auth", "/files", "/ai", "/seeds"};

}  // namespace

SoundParts::SoundParts(const contract::Contract& contract, const model::Model& draft,
                       const diag::Findings& findings)
    : contract_(contract), draft_(draft), findings_(findings) {
    for (const diag::Finding& finding : findings.all()) {
        if (finding.severity == diag::Severity::warning) continue;
        wrong_.insert(beginning(finding.path, 1));
        const std::string entity = beginning(finding.path, 2);
        const std::string part = beginning(finding.path, 3).substr(entity.size());
        if (!kNotOfTables.contains(part)) unsound_.insert(entity);
    }
    for (const model::Entity& entity : draft.entities) names_.insert(entity.name);
}

bool SoundParts::is_sound(const model::Entity& entity) const {
    return !unsound_.contains("/entities") && !unsound_.contains(entity.path) &&
           names_.count(entity.name) == 1 && !findings_.doubted().contains(entity.name);
}

bool SoundParts::errors_within(const std::set<std::string>& parts) const {
    return std::includes(parts.begin(), parts.end(), wrong_.begin(), wrong_.end());
}

bool SoundParts::entities() const {
    std::set<std::string> others = kSettings;
    others.insert({"/queries", "/functions", "/workflows", "/pages", "/components"});
    if (!errors_within(others) || contract_.entities.size() != draft_.entities.size()) return false;
    return std::equal(contract_.entities.begin(), contract_.entities.end(), draft_.entities.begin(),
                      draft_.entities.end(),
                      [](const auto& in, const auto& out) { return all_there(in, out); });
}

bool SoundParts::all_but_settings() const {
    return errors_within(kSettings) && findings_.doubted().empty();
}

plan::Plan SoundParts::plan() const {
    plan::Plan out;
    std::set<std::string> paths;
    for (const model::Entity& entity : draft_.entities) {
        if (!is_sound(entity)) continue;
        out.tables.push_back(plan::plan_table(draft_, entity));
        paths.insert(entity.path);
    }
    plan::plan_queries(draft_, out);
    for (plan::Pattern& pattern : plan::plan_patterns(draft_)) {
        if (paths.contains(beginning(pattern.path, 2))) out.patterns.push_back(std::move(pattern));
    }
    return out;
}

}  // namespace svc::pipeline
