// The words of each row of a searched entity, stored in a separate table, so that the app's rows do
// not change.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "model/model.hpp"
#include "plan/plan.hpp"

namespace svc::plan {

// PostgreSQL's configuration for texts of app.locale, by name and as a literal of SQL.
std::string search_language(const model::Model& model);
std::string search_config(const model::Model& model);
// How many characters of one field are searched.
std::uint32_t longest_searched(const model::Entity& entity);

// svc.<entity>_words (id, words tsvector). It has no policies and masks, so only functions of the
// owner read it.
std::string words_table(const model::Entity& entity);
// That table, the routine that fills it from existing rows, and the triggers that maintain it.
std::vector<Routine> plan_words(const model::Model& model, const model::Entity& entity);

}  // namespace svc::plan
