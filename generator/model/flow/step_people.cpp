// Steps that reach people: email, notify.
#include <set>

#include "base/formats.hpp"
#include "contract/read/reader.hpp"
#include "model/flow/flow_work.hpp"
#include "model/urls.hpp"
#include "model/values.hpp"

namespace svc::model {
namespace {

using contract::Reader;
using contract::Value;

// Could it be the id of a user, or an address? One of a list, too.
bool could_be(const FlowType& type, ExprType wanted) {
    if (type.kind == FlowType::Kind::list) return could_be(type.element.front(), wanted);
    return type.open() || (type.kind == FlowType::Kind::scalar && type.type == wanted);
}

void not_somebody(FlowWork& flow, const std::string& path, const std::string& wanted,
                  const std::string& what, const std::string& fix) {
    flow.work.findings.error("TYPE_MISMATCH", path,
                             "\"to\" needs " + wanted + ", but this is " + what + ".", fix);
}

std::string type_in_words(const FlowType& type) {
    if (type.kind == FlowType::Kind::row) return "a row";
    return type.kind == FlowType::Kind::list ? "a list of other values"
                                             : in_words(type.expr_type());
}

// A text that is one placeholder.
FlowValue addressee(FlowWork& flow, const Value& to, ExprType wanted) {
    const bool mail = wanted == ExprType::text;
    FlowValue out = read_value(flow, to);
    if (out.kind == FlowValue::Kind::text && !mail) {
        flow.work.findings.error("BAD_VALUE", to.path,
                                 "\"to\" must be a persona or exactly one id of a user.",
                                 "write a persona, or one id: {new.user_id}");
    }
    if (out.kind != FlowValue::Kind::expr) return out;
    const std::string need = mail ? "an e-mail address" : "the id of a user";
    const std::string fix = mail ? "use a string: {actor.email}" : "use an id: {new.user_id}";
    const FlowType type = type_of(flow, *out.expr);
    const auto entity = refers_to(*out.expr, flow.work.out);
    if (!could_be(type, wanted)) {
        not_somebody(flow, to.path, need, type_in_words(type), fix);
    } else if (entity) {
        not_somebody(flow, to.path, need,
                     "the id of a row of \"" + flow.work.out.entities[*entity].name + "\"", fix);
    }
    return out;
}

// A person who is listed twice would be notified twice.
void check_unique(FlowWork& flow, const std::vector<const Value*>& all) {
    contract::Texts texts;
    for (const Value* one : all) texts.push_back({one->text, one->path});
    distinct(flow.work, texts);
}

void check_link_of(FlowWork& flow, const contract::Text& link) {
    const bool fits = link.text.empty() || link.text.starts_with('/') ||
                      link.text.starts_with('{') || link.text.starts_with("https://");
    if (fits) return;
    flow.work.findings.error("BAD_URL", link.path, "A link cannot lead to this address.",
                             "begin with / for a page of this app, or with https://");
}

}  // namespace

FlowAction read_email(FlowWork& flow, const contract::Step& step, std::optional<FlowType>& gives) {
    const Reader in(step.body);
    gives = object_of({{"id", scalar(ExprType::uuid)}});
    EmailStep out;
    const auto all = one_or_more(*in.find("to"));
    check_unique(flow, all);
    for (const Value* to : all) {
        out.to.push_back(addressee(flow, *to, ExprType::text));
        if (!is_plain(to->text) || is_email(to->text)) continue;
        flow.work.findings.error("BAD_VALUE", to->path,
                                 "\"" + to->text + "\" is not an e-mail address.",
                                 "write an address, or {actor.email}");
    }
    out.subject = read_said(flow, in.find("subject"), "subject");
    out.text = read_template(flow, in.find("text"));
    return out;
}

FlowAction read_notify(FlowWork& flow, const contract::Step& step, std::optional<FlowType>& gives) {
    const Reader in(step.body);
    NotifyStep out;
    const auto all = one_or_more(*in.find("to"));
    check_unique(flow, all);
    for (const Value* to : all) {
        if (is_plain(to->text) && !base::is_uuid(to->text)) {
            for (std::string& known : persona_list(flow.work, {{to->text, to->path}})) {
                out.personas.push_back(std::move(known));
            }
        } else {
            out.users.push_back(addressee(flow, *to, ExprType::uuid));
        }
    }
    out.title = read_said(flow, in.find("title"), "title");
    out.body = read_template(flow, in.find("body"));
    out.link = read_template(flow, in.find("link"));
    check_link_of(flow, in.text("link"));
    gives = object_of({{"id", scalar(ExprType::uuid)}});
    return out;
}

}  // namespace svc::model
