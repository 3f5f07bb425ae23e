// The actions of blocks' buttons that are not forms of fields. Each redirects to another page, or
// puts what is wrong into visit.problems.
#pragma once

#include "page/visit.hpp"

namespace svc::page {

Task<Progress> move_row(Visit& visit, const Block& block, std::size_t number);
// Moves a card of a board to another column.
Task<Progress> move_card(Visit& visit, const Block& block, std::size_t number);
// Puts the refusal of a move into words, into visit.problems.
void refuse_move(Visit& visit, const Entity& entity, std::size_t number, const Answer& answer);
Task<Progress> delete_row(Visit& visit, const Block& block, std::size_t number);
// True if the caller may put a file into this input of a block "upload".
bool takes_file(const Visit& visit, const Block& block, std::string_view input);
Task<Progress> change_file(Visit& visit, const Block& block, std::size_t number);
Task<Progress> pay_order(Visit& visit, const Block& block, std::size_t number);
// Handles a page that the card provider has sent the caller back to.
Task<Progress> back_from_card(Visit& visit);
Task<Progress> ask_assistant(Visit& visit, const Block& block, std::size_t number);

}  // namespace svc::page
