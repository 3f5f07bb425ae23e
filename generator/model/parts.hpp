// The steps of resolve(), in their order. Each fills in its part of the model, also if an earlier
// one found an error: names whose meaning is unknown for that reason are in doubt (diag::Findings),
// and a step reports nothing about them.
#pragma once

#include <vector>

#include "contract/contract.hpp"
#include "diag/finding.hpp"
#include "model/model.hpp"
#include "model/resolve.hpp"

namespace svc::model {

struct Work {
    const contract::Contract& in;
    Model& out;
    diag::Findings& findings;
    const QueryRows& query_rows;
};

void resolve_app(Work work);
void resolve_personas(Work work);
void resolve_auth(Work work);
// Names, owners, fields, relations, unique and indexes; the lifecycle's field too. Entities and
// fields keep their places: number i of the model is number i of the contract.
void resolve_entities(Work work);
void resolve_field(Work work, const contract::Field& in, Field& out);
// A parameter of a query, function or workflow, as a field. Finding BAD_OPTION.
contract::Field as_field(Work work, const contract::Param& in);
// How the values of a field are written: scale, prefix, pattern. Before the values of other
// options, which must have that form too. Findings BAD_OPTION, BAD_PATTERN.
void resolve_form(Work work, const contract::Field& in, Field& out);
// min and max; finding BAD_OPTION.
void resolve_limits(Work work, const contract::Field& in, Field& out);
bool has_limits(FieldType type);
// unique and indexes, of fields that are resolved.
void resolve_keys(Work work, const contract::Entity& in, Entity& out);
// After the fields of all entities.
void resolve_relations(Work work, const contract::Entity& in, Entity& out);
void resolve_computed(Work work);
void resolve_lifecycles(Work work);
void resolve_access(Work work);
// Checks access that depends on other access, over same_as or by can(). Findings ACCESS_CYCLE if it
// depends on itself, ACCESS_TOO_DEEP if its expansion would be too large.
void check_questions(Work work);
void check_depth(Work work);
void resolve_rules(Work work);
void resolve_queries(Work work);
void resolve_seeds(Work work);
// Finding BAD_SEED for rows with the same values in a unique field.
void check_seed_uniques(Work work, const Entity& entity, const std::vector<SeedRow>& rows);
// search, external, softDelete, audit, display.
void resolve_features(Work work);
// Finding BAD_SEARCH.
void resolve_search(Work work, std::size_t entity, const contract::Texts& fields);
// Resolves an entity that is in another database, after the seeds. Finding BAD_EXTERNAL.
void resolve_external(Work work, std::size_t entity);
// BAD_EXTERNAL for refs to such entities.
void check_external_refs(Work work);
void resolve_payments(Work work);
// Functions, workflows, webhooks and topics; after everything that their steps may name.
void resolve_flows(Work work);
// Last, because blocks use the results of the other steps.
void resolve_pages(Work work);
// Before the pages that show them. Findings BAD_COMPONENT, NAME_TAKEN.
void resolve_components(Work work);
// These need no entities.
void resolve_orgs(Work work);
void resolve_sign_in(Work work);
void resolve_files(Work work);
void resolve_ai(Work work);
void resolve_connectors(Work work);
// The calls that are allowed, after the connectors themselves. Finding UNKNOWN_ACTION, warning
// GUESTS_MAY_CALL.
void resolve_allowed_calls(Work work, const std::vector<contract::AllowedCall>& calls);

// The texts without repetitions; a repetition is the finding BAD_OPTION.
contract::Texts distinct(Work work, const contract::Texts& texts);
std::vector<std::string> distinct_names(Work work, const contract::Texts& texts);
// Finding UNKNOWN_PRINCIPAL if there is none of that name.
std::optional<Principal> resolve_principal(Work work, const contract::Text& name);
// Persona ids; finding UNKNOWN_PERSONA.
std::vector<std::string> persona_list(Work work, const contract::Texts& names);
// Finding UNKNOWN_ENTITY if there is none of that name.
std::optional<std::size_t> resolve_entity(Work work, const contract::Text& name);
// Finding UNKNOWN_COMPONENT if there is none of that name.
std::optional<std::size_t> resolve_component(Work work, const contract::Text& name);
// Finding UNKNOWN_FIELD where the entity has none of that name.
std::optional<std::size_t> resolve_own_field(Work work, std::size_t entity,
                                             const contract::Text& name);
// An IANA name.
bool is_time_zone(const std::string& name);
// Finding UNKNOWN_ENTITY.
void unknown_entity(Work work, const contract::Text& name);
// Finding UNKNOWN_QUERY.
void unknown_query(Work work, const contract::Text& name);

}  // namespace svc::model
