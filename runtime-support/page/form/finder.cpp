// The control for a reference to one of many rows. Without a script its button sends the form,
// which comes back with the rows that were found and with everything that was filled in.
#include "page/form/control.hpp"
#include "page/rows/rows_query.hpp"

namespace svc::page {
namespace {

// Lines that are as high as each other: what is found must not move the form.
std::string found_words(const Finder& finder) {
    if (finder.words.empty()) return "Write words of its name to find it.";
    if (finder.found == 0) return "Nothing was found. Try other words.";
    if (finder.more)
        return "The first " + std::to_string(finder.found) + ". More words find fewer.";
    return finder.found == 1 ? "One was found." : std::to_string(finder.found) + " were found.";
}

void write_box(Html& out, const Input& input) {
    const std::string name(input.column.name);
    out << "<div class=\"beside\"><input type=\"search\" maxlength=\"200\" autocomplete=\"off\"";
    out.attribute("name", "q." + name).attribute("data-find", name);
    out.attribute("aria-label", "Find " + lower_first(input.field.label));
    out.attribute("value", input.finder->words);
    if (!input.finder->words.empty() && input.finder->found == 0) out << " autofocus";
    out << "><button class=\"button quiet\" name=\"_do\" value=\"find\">Find</button></div>";
}

}  // namespace

void write_finder(Html& out, const Input& input) {
    write_box(out, input);
    out << "<div class=\"found\" aria-live=\"polite\"><input type=\"hidden\"";
    out.attribute("name", "l." + std::string(input.column.name))
            .attribute("value", input.finder->words)
        << ">";
    write_select(out, input);
    out << "<p class=\"hint\">" << found_words(*input.finder) << "</p></div>";
}

}  // namespace svc::page
