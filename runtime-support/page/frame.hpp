// The frame around the body of a page: the head, the menu, the visitor, and the message about the
// last action.
#pragma once

#include "page/answer.hpp"

namespace svc::page {

inline constexpr std::size_t kLongestTitle = 200;  // characters
// A browser shows a page when it has read it up to here, because a page that is shown in parts
// would move.
inline constexpr std::string_view kPageEnd = "<span id=\"page-end\" hidden></span></body></html>";

// The sentence for the `done` of an address; empty for an unknown word.
std::string_view done_words(std::string_view done);

// `build`: by which the page's script knows that the app has changed; empty: it has none. Leaves
// the head open.
void write_head(Html& out, const Site& site, std::string_view app, std::string_view build,
                const std::string& title);
// Close the head and write the rest of the page: with the menu, or as one card.
void write_frame(Html& out, const Visit& visit, const Frame& frame);
void write_card(Html& out, const Visit& visit, const Frame& frame);

}  // namespace svc::page
