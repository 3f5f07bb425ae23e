// The control for a reference to one of many rows. Without a script its button sends the form,
// which comes back with the rows that were found and with everything that was filled in.
#include "page/form/control.hpp"
#include "page/rows/rows_query.hpp"

namespace svc::page {
namespace {

std::string found_words(const Input& input) {
    const Finder& finder = *input.finder;
    if (finder.words.empty()) return "There are many: write some words of its name, then find it.";
    if (finder.found == 0) return "Nothing was found. Try other words.";
    if (finder.more)
        return "The first " + std::to_string(finder.found) + " are here. More words find fewer.";
    return finder.found == 1 ? "One was found." : std::to_string(finder.found) + " were found.";
}

void write_box(Html& out, const Input& input, bool stands_alone) {
    const Finder& finder = *input.finder;
    const std::string name(input.column.name);
    out << "<div class=\"beside\"><input type=\"search\" maxlength=\"200\" autocomplete=\"off\"";
    out.attribute("name", "q." + name).attribute("data-find", name);
    out.attribute("value", finder.words);
    // The label is that of the choice, once there is one.
    if (stands_alone)
        out.attribute("id", id_of(input));
    else
        out.attribute("aria-label", "Find " + lower_first(input.field.label));
    if (stands_alone && !input.problem.empty()) {
        out << " aria-invalid=\"true\"";
        out.attribute("aria-describedby", id_of(input) + "-problem");
    }
    if (stands_alone && !finder.words.empty()) out << " autofocus";
    out << "><button class=\"button quiet\" name=\"_do\" value=\"find\">Find</button></div>";
}

}  // namespace

void write_finder(Html& out, const Input& input) {
    const bool stands_alone = !input.options || input.options->empty();
    const std::string name(input.column.name);
    write_box(out, input, stands_alone);
    out << "<div class=\"found\" aria-live=\"polite\"><input type=\"hidden\"";
    out.attribute("name", "l." + name).attribute("value", input.finder->words) << ">";
    if (stands_alone) {
        out << "<input type=\"hidden\" value=\"\"";
        out.attribute("name", "f." + name) << ">";
    } else {
        write_select(out, input);
    }
    out << "<p class=\"hint\">" << found_words(input) << "</p></div>";
}

}  // namespace svc::page
