#include <nlohmann/json.hpp>
#include <utility>

#include "check/exposure/exposure.hpp"

namespace svc::check {
namespace {

using nlohmann::ordered_json;

ordered_json fields_json(const Cell& cell) {
    ordered_json out = ordered_json::array();
    for (const FieldAccess& field : cell.fields) {
        const std::string where = text(field.where);
        if (where == text(cell.rows)) {
            out.push_back(field.name);
        } else {
            out.push_back({{"name", field.name}, {"where", where}});
        }
    }
    return out;
}

ordered_json cell_json(const Cell& cell) {
    ordered_json out = {{"rows", cell.rows.is_no() ? "none" : cell.rows.is_yes() ? "all" : "some"}};
    if (out["rows"] == "some") out["where"] = text(cell.rows);
    if (cell.rows.is_no()) return out;
    if (!cell.follows.empty()) out["follows"] = cell.follows;
    if (!cell.effect.empty()) out["effect"] = cell.effect;
    if (!cell.fields.empty()) out["fields"] = fields_json(cell);
    return out;
}

ordered_json entity_json(const Exposure& exposure, const EntityExposure& entity) {
    ordered_json callers = ordered_json::object();
    for (std::size_t i = 0; i < entity.cells.size(); ++i) {
        if (entity.cells[i].empty()) continue;
        ordered_json& operations = callers[exposure.callers[i].name] = ordered_json::object();
        for (const Cell& cell : entity.cells[i])
            operations[cell.operation.words()] = cell_json(cell);
    }
    return {{"name", entity.name}, {"callers", std::move(callers)}};
}

ordered_json runs_json(const std::vector<RunExposure>& runs, RunExposure::Kind kind) {
    ordered_json out = ordered_json::array();
    for (const RunExposure& run : runs) {
        if (run.kind == kind) out.push_back({{"name", run.name}, {"callers", run.callers}});
    }
    return out;
}

ordered_json accounts_json(const AccountExposure& accounts) {
    ordered_json personas = ordered_json::array();
    for (const PersonaExposure& one : accounts.personas) {
        personas.push_back({{"name", one.name},
                            {"signup", base::word(one.signup)},
                            {"secondFactor", one.second_factor}});
    }
    ordered_json seeded = ordered_json::array();
    for (const SeededAccount& one : accounts.seeded) {
        if (!one.staff && !one.admin) continue;
        seeded.push_back({{"email", one.email},
                          {"persona", one.persona},
                          {"staff", one.staff},
                          {"isAdmin", one.admin}});
    }
    return {{"personas", std::move(personas)}, {"seeded", std::move(seeded)}};
}

ordered_json served_json(const Exposure& exposure) {
    ordered_json callers = ordered_json::array();
    for (const Caller& caller : exposure.callers) {
        callers.push_back({{"name", caller.name},
                           {"kind", base::word(caller.kind)},
                           {"extends", caller.extends}});
    }
    ordered_json entities = ordered_json::array();
    for (const EntityExposure& entity : exposure.entities) {
        entities.push_back(entity_json(exposure, entity));
    }
    return {{"callers", std::move(callers)},
            {"entities", std::move(entities)},
            {"queries", runs_json(exposure.runs, RunExposure::Kind::query)},
            {"functions", runs_json(exposure.runs, RunExposure::Kind::function)}};
}

}  // namespace

std::string json_text(const Exposure& exposure) { return served_json(exposure).dump(); }

std::string matrix_text(const Exposure& exposure) {
    ordered_json out = served_json(exposure);
    out["accounts"] = accounts_json(exposure.accounts);
    return out.dump();
}

}  // namespace svc::check
