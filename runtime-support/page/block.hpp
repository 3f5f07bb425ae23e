// Blocks of a page: each asks for its rows as the caller and writes itself.
#pragma once

#include "page/visit.hpp"

namespace svc::page {

// `block` is the number of the block on its page; the names of its query members and its anchor
// contain it. A block writes nothing if the caller may see nothing of it.
Task<> write_block(Visit& visit, const Block& block, std::size_t number, Html& out);

Task<> write_rows(Visit& visit, const Block& block, std::size_t number, Html& out);
Task<> write_board(Visit& visit, const Block& block, std::size_t number, Html& out);
Task<> write_detail(Visit& visit, const Block& block, std::size_t number, Html& out);
Task<> write_metric(Visit& visit, const Block& block, Html& out);
// A number of the first page that counts all rows of a list: its card has the newest ones too.
bool is_overview(const Visit& visit, const Block& block);
Task<> write_overview(Visit& visit, const Block& block, Html& out);
Task<> write_chart(Visit& visit, const Block& block, Html& out);
Task<> write_search(Visit& visit, const Block& block, std::size_t number, Html& out);
Task<> write_actions(Visit& visit, const Block& block, std::size_t number, Html& out);

// The place of a component, which a script of the page fills.
void write_component(Visit& visit, const Block& block, Html& out);
Task<> write_upload(Visit& visit, const Block& block, std::size_t number, Html& out);
Task<> write_pay(Visit& visit, const Block& block, std::size_t number, Html& out);
Task<> write_chat(Visit& visit, const Block& block, std::size_t number, Html& out);

Task<> write_form(Visit& visit, const Block& block, std::size_t number, Html& out);

// Writes the message of a failed answer as a block's content.
void write_failure(const Answer& answer, Html& out);

// A block's frame with its title, and buttons of it beside the title.
void open_block(Html& out, std::string_view kind, std::string_view title, std::size_t number,
                const Html& buttons);
void close_block(Html& out);

// Writes the number of the block that a form belongs to.
void write_number(Html& out, std::size_t number);
// True if this is the block whose form was refused.
bool has_failed(const Visit& visit, std::size_t number);
// Writes what went wrong, in words for people.
void write_notice(Html& out, std::string_view words);

// The columns that a block shows, by index: those that it names, otherwise a default choice. Only
// columns that the caller may read.
std::vector<std::size_t> shown_columns(const Visit& visit, const Block& block);

// A named query's rows, as the caller.
Task<Answer> run_query(Visit& visit, const Block& block);

// [{"field":…,"op":…,"value":…},…]: the filter of a block and the added conditions.
std::string filter_json(const Visit& visit, const Block& block, std::string_view more);

}  // namespace svc::page
