#include "page/account/passkey.hpp"

#include "base/json_text.hpp"
#include "json/value.hpp"
#include "page/value/when.hpp"

namespace svc::page {
namespace {

constexpr std::size_t kPasskeyName = 200;

void write_passkey(Html& out, const Visit& visit, const Json& passkey) {
    const std::string name = passkey.text_of("name"), used = passkey.text_of("lastUsedAt");
    const base::Zone* zone = visit.in.zone.get();
    out << "<li class=\"card\"><h3>"
        << (name.empty() ? std::string("Passkey") : shortened(name, kPasskeyName))
        << "</h3><p class=\"quiet\">Added " << exact_moment(passkey.text_of("createdAt"), zone);
    if (!used.empty()) out << ", last used " << exact_moment(used, zone);
    out << "</p><form method=\"post\"><input type=\"hidden\" name=\"passkey\"";
    out.attribute("value", passkey.text_of("id"))
        << "><button class=\"button quiet danger-text\" name=\"_do\" value=\"passkey-off\"";
    out.attribute("aria-label", "Remove the passkey " + name) << ">Remove</button></form></li>";
}

void write_new_passkey(Html& out) {
    out << "<p class=\"hint without-passkeys\">To add one, use a browser that runs scripts and "
           "knows "
           "passkeys.</p>";
    open_passkey_form(out, "register", "fields");
    out << "<div class=\"field\"><label for=\"passkey-name\">Name of this device</label><input "
           "id=\"passkey-name\" name=\"name\" maxlength=\"200\" autocomplete=\"off\"></div><div "
           "class=\"buttons\"><button class=\"button quiet\" name=\"_do\" "
           "value=\"passkey-on\">Add a passkey</button></div></form>";
}

}  // namespace

void open_passkey_form(Html& out, std::string_view what, std::string_view look) {
    out << "<form method=\"post\"";
    if (!look.empty()) out.attribute("class", look);
    out.attribute("data-passkey", what) << "><input type=\"hidden\" name=\"credential\">";
}

std::string passkey_body(const Visit& visit) {
    const std::string text(visit.form.text("credential"));
    const json::Parsed parsed = json::parse(text);
    if (!parsed.error.empty() || parsed.nul || !parsed.value.is(Json::Kind::object)) return {};
    std::string out = R"({"credential":)" + parsed.value.shown();
    if (const std::string_view name = visit.form.text("name"); !name.empty()) {
        out += R"(,"name":)";
        base::append_json(out, name);
    }
    return out + '}';
}

Task<> write_passkeys(Visit& visit, Html& out) {
    if (!visit.app().auth.passkey) co_return;
    const Answer answer = co_await visit.api.get("/auth/passkeys", Members());
    const Json* passkeys = answer.ok() ? answer.body.find("passkeys") : nullptr;
    if (!passkeys) co_return;
    out << "<section><h2>Passkeys</h2><p>A passkey signs you in without a password, by your "
           "finger, "
           "your face or the code of your device.</p>";
    if (!passkeys->items.empty()) {
        out << "<ul class=\"cards\">";
        for (const Json& passkey : passkeys->items) write_passkey(out, visit, passkey);
        out << "</ul>";
    }
    write_new_passkey(out);
    out << "</section>";
}

}  // namespace svc::page
