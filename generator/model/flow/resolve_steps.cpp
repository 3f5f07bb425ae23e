#include <algorithm>
#include <string_view>

#include "contract/read/reader.hpp"
#include "model/flow/flow_work.hpp"
#include "model/values.hpp"

namespace svc::model {
namespace {

struct Handler {
    std::string_view action;
    StepReader read;
};
constexpr Handler kHandlers[] = {
    {"create", read_create},
    {"update", read_update},
    {"delete", read_delete},
    {"transition", read_transition},
    {"query", read_query},
    {"set", read_set},
    {"switch", read_switch},
    {"sleep", read_sleep},
    {"waitFor", read_wait_for},
    {"http", read_http},
    {"connector", read_connector},
    {"mcp", read_mcp},
    {"ai", read_ai},
    {"embed", read_embed},
    {"email", read_email},
    {"notify", read_notify},
    {"publish", read_publish},
    {"call", read_call},
    {"return", read_return},
    {"fail", read_fail},
};

StepReader reader_of(const std::string& action) {
    for (const Handler& handler : kHandlers) {
        if (handler.action == action) return handler.read;
    }
    return read_set;  // the table of keys has no other
}

void check_local(FlowWork& flow, const contract::Text& name) {
    static const std::vector<std::string> kRoots{"input", "steps", "actor",  "new",
                                                 "old",   "user",  "payload"};
    const bool reserved = std::find(kRoots.begin(), kRoots.end(), name.text) != kRoots.end();
    const bool taken =
        std::any_of(flow.names.locals.begin(), flow.names.locals.end(),
                    [&](const FlowMember& local) { return local.name == name.text; });
    if (reserved) {
        flow.work.findings.error("RESERVED_NAME", name.path,
                                 "The name \"" + name.text + "\" is reserved.",
                                 "choose another name");
    } else if (taken) {
        flow.work.findings.error("NAME_TAKEN", name.path,
                                 "An outer loop already names its element \"" + name.text + "\".",
                                 "choose another name");
    }
}

// The type of the list's elements; finding TYPE_MISMATCH if it is not a list.
FlowType element_of(FlowWork& flow, const Expr& list, const std::string& path) {
    const FlowType type = type_of(flow, list);
    if (type.kind == FlowType::Kind::list) return type.element.front();
    if (type.open() || list.type == ExprType::list) return {};
    flow.work.findings.error("TYPE_MISMATCH", path,
                             "\"for\" needs a list, but this is " + in_words(list.type) + ".",
                             "use rows, a list, or an entity: {\"entity\": …}");
    return {};
}

FlowType repeat(FlowWork& flow, const contract::Repeat& in, Repeat& out) {
    out.as = in.as.text;
    if (in.list) {
        out.list = read_any(*in.list, flow.scope, flow.work.findings);
        return out.list ? element_of(flow, *out.list, in.list->path) : FlowType{};
    }
    if (in.limit) out.limit = read_count(flow.work, *in.limit, "limit", 1, 10'000);
    const std::optional<std::size_t> entity = resolve_entity(flow.work, in.entity);
    if (!entity) return {};
    out.entity = *entity;
    if (in.where) out.where = read_where(flow, *in.where, *entity);
    return row_of(*entity);
}

void settings(FlowWork& flow, const contract::Step& in, FlowStep& out) {
    if (in.retry) out.retry = read_retry(flow.work, *in.retry);
    if (in.timeout) out.timeout = read_seconds(flow.work, *in.timeout);
    if (in.idempotency) out.idempotency = read_said(flow, *in.idempotency, "key");
    out.goes_on = in.on_error && in.on_error->text == "continue";
    if (in.run_as) flow.run_as = *(out.run_as = read_run_as(flow, *in.run_as));
}

FlowStep step(FlowWork& flow, const contract::Step& in) {
    FlowStep out;
    out.id = in.id.text;
    out.path = in.path;
    flow.ids.add(in.id);
    const RunAs around = flow.run_as;
    if (in.repeat) {
        const FlowType element = repeat(flow, *in.repeat, out.repeat.emplace());
        check_local(flow, in.repeat->as);
        flow.names.locals.push_back({in.repeat->as.text, element});
    }
    if (in.condition) out.condition = read_condition(*in.condition, flow.scope, flow.work.findings);
    settings(flow, in, out);
    std::optional<FlowType> gives;
    out.action = reader_of(in.action)(flow, in, gives);
    if (in.repeat) flow.names.locals.pop_back();
    flow.run_as = around;
    if (gives) {
        flow.names.steps.push_back({out.id, in.repeat ? list_of(*gives) : *gives});
    } else {
        flow.names.silent.push_back(out.id);
    }
    return out;
}

}  // namespace

void step_ids(const std::vector<contract::Step>& steps, std::vector<std::string>& out) {
    for (const contract::Step& step : steps) {
        out.push_back(step.id.text);
        for (const auto& [name, branch] : step.cases) step_ids(branch, out);
        step_ids(step.otherwise, out);
    }
}

std::vector<FlowStep> resolve_steps(FlowWork& flow, const std::vector<contract::Step>& steps) {
    std::vector<FlowStep> out;
    out.reserve(steps.size());
    for (const contract::Step& in : steps) out.push_back(step(flow, in));
    return out;
}

Seconds read_seconds(Work work, const contract::Text& text) {
    const std::optional<std::uint32_t> seconds = seconds_of(text.text);
    if (seconds && *seconds > 0) return *seconds;
    work.findings.error("BAD_DURATION", text.path,
                        "\"" + text.text + "\" is " +
                            (seconds ? "too short: it must be longer than 0." : "too long."),
                        "write a whole number and s, m, h or d: \"15m\"");
    return 1;
}

std::uint32_t read_count(Work work, const contract::Value& value, const std::string& name,
                         std::uint32_t least, std::uint32_t most) {
    const auto number = static_cast<std::uint32_t>(std::stoul(value.text));
    if (number >= least && number <= most) return number;
    work.findings.error(
        "BAD_OPTION", value.path,
        "\"" + name + "\" must be from " + std::to_string(least) + " to " + std::to_string(most) +
            ", but is " + value.text + ".",
        "use a number from " + std::to_string(least) + " to " + std::to_string(most));
    return least;
}

Retry read_retry(Work work, const contract::Retry& in) {
    Retry out;
    if (in.max) out.max = read_count(work, *in.max, "max", 1, 100);
    if (in.base) out.base = read_seconds(work, *in.base);
    if (in.cap) out.cap = read_seconds(work, *in.cap);
    if (in.factor) out.factor = std::strtod(in.factor->text.c_str(), nullptr);
    if (in.factor && (out.factor < 1 || out.factor > 10)) {
        work.findings.error("BAD_OPTION", in.factor->path, "\"factor\" must be from 1 to 10.",
                            "use a number from 1 to 10");
    }
    if (out.cap < out.base && (in.base || in.cap)) {
        work.findings.error("BAD_OPTION", in.cap ? in.cap->path : in.base->path,
                            "\"cap\", the longest wait, is shorter than \"base\", the first wait.",
                            "make \"cap\" longer than \"base\"");
    }
    return out;
}

RunAs read_run_as(FlowWork& flow, const contract::Text& text) {
    using Kind = RunAs::Kind;
    if (text.text == "system") return {};
    if (text.text == "actor") {
        if (!flow.names.actor) {
            flow.work.findings.error("NO_ACTOR", text.path,
                                     "There is no actor here: no user starts this run.",
                                     "run it as system or as a persona");
        }
        return {Kind::actor, ""};
    }
    const std::vector<std::string> known = persona_list(flow.work, {text});
    return {Kind::persona, known.empty() ? text.text : known.front()};
}

}  // namespace svc::model
