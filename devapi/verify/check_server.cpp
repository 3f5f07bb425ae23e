// What the live binary says over HTTP, on the clone.
#include <nlohmann/json.hpp>

#include "verify/server.hpp"

namespace svc::devapi::verification {
namespace {

using nlohmann::json;

// A value that such a parameter may well have.
json sensible(const model::Field& field) {
    using model::FieldType;
    switch (field.type) {
        case FieldType::integer:
        case FieldType::number:
        case FieldType::decimal:
        case FieldType::float_:
        case FieldType::money:
            return 1;
        case FieldType::boolean:
            return true;
        case FieldType::date:
            return "2026-01-31";
        case FieldType::time:
            return "12:00:00";
        case FieldType::datetime:
            return "2026-01-31T12:00:00Z";
        case FieldType::enum_:
            return field.values.empty() ? "a" : field.values[0];
        case FieldType::tags:
            return json::array({"a"});
        case FieldType::json:
            return json::object();
        case FieldType::uuid:
        case FieldType::ref:
        case FieldType::user:
        case FieldType::file:
            return kOrgs[0];
        case FieldType::email:
            return "a@verify.invalid";
        case FieldType::url:
            return "https://verify.invalid/";
        case FieldType::phone:
            return "+33100000000";
        default:
            return "a";
    }
}

std::string body_of(const model::Query& query) {
    json params = json::object();
    for (const auto& param : query.params) params[param.field.name] = sensible(param.field);
    return json({{"params", params}}).dump();
}

// Who may run it gets rows. A write may be refused for what it would write; a value of ours may be
// one that the query cannot take.
void judge_query(const model::Query& query, const Asker& asker, const Answered& answer,
                 VerifyCheck& out) {
    const bool allowed = query.end_user || asker.is_any(query.allow);
    const std::string what = "The query " + query.name + ", run by " + asker.name + ", ";
    const std::string answered = "answers " + std::to_string(answer.status);
    const bool forbidden = answer.status == 403;
    if (!allowed)
        return forbidden ? out.good()
                         : out.bad(what + answered + "; the contract does not let them run it.");
    if (answer.status >= 500 || answer.status == 404 || (forbidden && !query.writes))
        return out.bad(what + answered +
                       ", although the contract lets them: " + answer.body.substr(0, 200));
    out.good();
    if (answer.status == 400 && out.warnings.size() < 20)
        out.warnings.push_back(what + answered + " to " + body_of(query) + ": " +
                               answer.body.substr(0, 200));
}

}  // namespace

void check_server(Subject& subject, VerifyCheck& out) {
    subject.server = std::make_unique<AppServer>(subject);
    out.good();
    out.said = "The live binary starts on the clone and says that it is ready.";
}

void check_queries(Subject& subject, VerifyCheck& out) {
    if (subject.model.queries.empty()) return not_run(out, "The contract has no named queries.");
    if (!subject.server) return not_run(out, "There is no server to ask.");
    for (const auto& query : subject.model.queries)
        for (const Asker& asker : subject.askers)
            judge_query(
                query, asker,
                subject.server->call(asker, "POST", "/queries/" + query.name, body_of(query)), out);
    out.said = std::to_string(subject.model.queries.size()) +
               " named queries, run over HTTP by each caller.";
}

}  // namespace svc::devapi::verification
