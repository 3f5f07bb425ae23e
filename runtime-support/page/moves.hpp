// What the buttons of blocks do that are no forms of fields. Each answers with the way to another
// page, or leaves what is wrong in visit.problems. True: answered.
#pragma once

#include "page/visit.hpp"

namespace svc::page {

Task<bool> move_row(Visit& visit, const Block& block, std::size_t number);
Task<bool> delete_row(Visit& visit, const Block& block, std::size_t number);
// Of a block "upload": the caller may put a file into this input.
bool takes_file(const Visit& visit, const Block& block, std::string_view input);
Task<bool> change_file(Visit& visit, const Block& block, std::size_t number);
Task<bool> pay_order(Visit& visit, const Block& block, std::size_t number);
// Of a page that the card provider has sent the caller back to.
Task<bool> back_from_card(Visit& visit);
Task<bool> ask_assistant(Visit& visit, const Block& block, std::size_t number);

}  // namespace svc::page
