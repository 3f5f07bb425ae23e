// Forms: the fields that a form asks for, the typed values, and the row that they make.
#pragma once

#include "page/value/file.hpp"

namespace svc::page {

// The columns that a form asks this caller for, by index. Columns that the caller may not send are
// left out. For an existing row, columns that the caller may not read are left out too: their input
// would be empty and would overwrite the value.
std::vector<std::size_t> asked_columns(const Visit& visit, const Block& block);
bool changes_row(const Block& block);
// True if the caller may save any row at all. The policies decide which ones.
bool may_save(const Visit& visit, const Block& block);

// The body of a write as JSON, from the typed values. Fills `problems` if they are wrong.
std::string read_form(const Visit& visit, const Block& block, Problems& problems);

// The form's action on a row. `fill`: it writes the row, and an entered value is at fault.
enum class RowAction { create, change, fill, remove, move };

// Turns an API's refusal into a sentence for people, with the field's label instead of API terms.
void report_refusal(const Visit& visit, const Entity& entity, RowAction action,
                    const Answer& answer, Problems& problems);
// "You may not change this order."
std::string forbidden_words(const Visit& visit, const Entity& entity, RowAction action);
// "this order"
std::string this_row(const Visit& visit, const Entity& entity);

// Writes the row, and leads to another page; or says what is wrong in visit.problems.
Task<Progress> save_form(Visit& visit, const Block& block, std::size_t number);

// What a search for the row of a reference has come to.
struct Finder {
    std::string words;      // that were looked for
    std::size_t found = 0;  // rows with them
    bool more = false;      // there are others
};
// Whether the form asks for rows by words, or brings words that nothing was chosen by: then it is
// no save yet, and visit.problems says so.
bool finds_rows(Visit& visit, const Block& block, std::size_t number);

// One input with its label, its hint and what is wrong with it.
struct Input {
    const Column& column;
    const Field& field;
    std::string value;  // as it stands in the input
    std::string_view problem;
    bool required = false;
    const std::vector<std::pair<std::string, std::string>>* options = nullptr;  // id and name
    const Finder* finder = nullptr;  // the options are those that words have found
    // Set for an input for a file: the row's file, and one that this form has uploaded already.
    const ShownFile* file = nullptr;
    std::string kept = {};
};
void write_input(Html& out, const Visit& visit, const Input& input);
// A row's value as an input has it.
std::string input_value(const Visit& visit, const Field& field, const Json* value);

}  // namespace svc::page
