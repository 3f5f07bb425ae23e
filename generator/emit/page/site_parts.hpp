// The parts of pages.cpp: each adds its constants, and gives the name of the last.
#pragma once

#include <string>

#include "emit/page/constants.hpp"
#include "plan/plan.hpp"

namespace svc::emit {

// Name of the array of tables, of pages; empty: there are none.
std::string site_tables(const plan::Plan& plan, Constants& out);
std::string site_pages(const plan::Plan& plan, Constants& out);

// An array of blocks under this name. Those of a page have names of their own in it.
std::string site_blocks(const plan::Plan& plan, const plan::SitePage& page, const std::string& name,
                        Constants& out);

// "&order::entity"; empty for none.
std::string entity_address(const std::string& cpp_value);
// The pieces of a text.
std::string text_parts(const plan::SiteText& text, const std::string& name, Constants& out);
// {.json = "5"} or {.text = kRouteId}
std::string site_value(const plan::SiteValue& value, const std::string& name, Constants& out);

}  // namespace svc::emit
