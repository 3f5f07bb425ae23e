#include "page/account/sign_in_form.hpp"

#include "page/answer.hpp"
#include "page/block.hpp"

namespace svc::page {
namespace {

void write_problem(Html& out, const Visit& visit, std::string_view field) {
    if (!visit.problems) return;
    const std::string_view words = visit.problems->of(field);
    if (words.empty()) return;
    out << "<p class=\"problem\"";
    out.attribute("id", "f-" + std::string(field) + "-problem") << ">" << words << "</p>";
}

}  // namespace

void write_line(Html& out, const Visit& visit, const SignInField& line) {
    const bool wrong = visit.problems && !visit.problems->of(line.name).empty();
    out << "<div class=\"field" << (wrong ? std::string_view(" wrong") : std::string_view())
        << "\"><label";
    out.attribute("for", "f-" + std::string(line.name)) << ">" << line.label;
    if (line.optional) out << " <span class=\"optional\">optional</span>";
    out << "</label><input";
    out.attribute("id", "f-" + std::string(line.name))
        .attribute("name", line.name)
        .attribute("type", line.type)
        .attribute("autocomplete", line.complete);
    if (line.type != "password") out.attribute("value", visit.form.text(line.name));
    if (wrong) {
        out << " aria-invalid=\"true\"";
        out.attribute("aria-describedby", "f-" + std::string(line.name) + "-problem");
    }
    if (line.focus) out << " autofocus";
    out << ">";
    write_problem(out, visit, line.name);
    if (!wrong && !line.hint.empty()) out << "<p class=\"hint\">" << line.hint << "</p>";
    out << "</div>";
}

void write_next(Html& out, const Visit& visit) {
    const std::string next = next_of(visit);
    if (next.empty()) return;
    out << "<input type=\"hidden\" name=\"next\"";
    out.attribute("value", next) << ">";
}

void open_sign_in_form(Html& out, const Visit& visit, const SignInState& state) {
    out << "<form method=\"post\" class=\"fields\" novalidate>";
    write_number(out, state.block);
    write_next(out, visit);
}

void close_sign_in_form(Html& out, std::string_view act, std::string_view words,
                        std::string_view look) {
    out << "<button class=\"button " << look << " wide\" name=\"_do\"";
    out.attribute("value", act) << ">" << words << "</button></form>";
}

}  // namespace svc::page
