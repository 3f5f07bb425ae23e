// The step that calls an address: http.
#include <algorithm>

#include "contract/read/reader.hpp"
#include "contract/shape/shape.hpp"
#include "diag/characters.hpp"
#include "model/flow/flow_work.hpp"
#include "model/urls.hpp"
#include "model/values.hpp"

namespace svc::model {
namespace {

using contract::Reader;
using contract::Value;

void check_url(FlowWork& flow, const contract::Text& url) {
    const bool placeholder_first = url.text.starts_with('{');
    const bool web = url.text.starts_with("https://") || url.text.starts_with("http://");
    if (placeholder_first || (is_plain(url.text) ? is_url(url.text) : web)) return;
    flow.work.findings.error("BAD_URL", url.path, "The server cannot call this address.",
                             "write https://, then a host");
}

// "Bearer secret:TOKEN"
bool holds_secret_inside(std::string_view text) {
    const std::size_t at = text.find(" " + std::string(contract::kSecretPrefix));
    if (at == std::string_view::npos) return false;
    const std::string_view from = text.substr(at + 1);
    return contract::is_secret(from.substr(0, from.find(' ')));
}

// No other part of a request than a header holds a secret.
void check_no_secret(FlowWork& flow, const Value& value) {
    if (value.is(Value::Kind::string) &&
        (contract::is_secret(value.text) || holds_secret_inside(value.text))) {
        flow.work.findings.error("BAD_SECRET", value.path,
                                 "Only headers hold secrets: this one is sent as it is written.",
                                 "send it in a header: \"authorization\": \"secret:NAME\"");
    }
    for (const Value& item : value.items) check_no_secret(flow, item);
    for (const contract::Member& member : value.members) check_no_secret(flow, member.value);
}

Template header(FlowWork& flow, const contract::Member& member) {
    const Value& value = member.value;
    if (!is_header_name(member.name)) {
        flow.work.findings.error("BAD_NAME", contract::name_of(value.path),
                                 "\"" + member.name + "\" is not a valid name of a header.",
                                 "use letters, digits, - and _: \"X-Api-Key\"");
    }
    if (std::any_of(value.text.begin(), value.text.end(), diag::is_control)) {
        flow.work.findings.error("BAD_VALUE", value.path,
                                 "A header must be one line without control characters.",
                                 "remove these characters");
    }
    if (value.text.starts_with(contract::kSecretPrefix) && !contract::is_secret(value.text)) {
        flow.work.findings.error("BAD_SECRET", value.path,
                                 "A header must name a secret, not contain one.",
                                 "write \"secret:NAME\" (letters, digits and _)");
    }
    if (holds_secret_inside(value.text)) {
        flow.work.findings.error(
            "BAD_SECRET", value.path,
            "A secret is the whole value of a header: this one is sent as it "
            "is written.",
            "write \"secret:NAME\" alone, and put the whole value of the header "
            "into the secret NAME");
    }
    return read_template(flow, &value);
}

}  // namespace

FlowAction read_http(FlowWork& flow, const contract::Step& step, std::optional<FlowType>& gives) {
    const Reader in(step.body);
    HttpStep out;
    out.method = in.text("method").text;
    out.url = read_template(flow, in.find("url"));
    check_url(flow, in.text("url"));
    if (out.url.size() == 1 && out.url[0].expr) {
        const FlowType type = type_of(flow, *out.url[0].expr);
        if (!type.open() && type.expr_type() != ExprType::text) {
            flow.work.findings.error(
                "BAD_URL", in.text("url").path,
                "An address must be a string, but this is " + in_words(type.expr_type()) + ".",
                "use a string");
        }
    }
    for (const contract::Member& member : in.members("headers")) {
        Template value = header(flow, member);
        if (contract::is_secret(member.value.text)) {
            out.secrets.emplace_back(member.name,
                                     member.value.text.substr(contract::kSecretPrefix.size()));
        } else {
            out.headers.emplace_back(member.name, std::move(value));
        }
    }
    if (const Value* body = in.find("body")) {
        check_no_secret(flow, *body);
        out.body = read_value(flow, *body);
    }
    for (const Value& status : in.items("accept")) {
        out.accept.push_back(read_count(flow.work, status, "accept", 400, 599));
    }
    gives = object_of({{"status", scalar(ExprType::integer)}, {"headers", {}}, {"body", {}}});
    return out;
}

}  // namespace svc::model
