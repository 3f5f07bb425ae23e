#include "plan/flow/definition.hpp"

#include <sstream>
#include <variant>

#include "plan/flow/flow_value.hpp"
#include "plan/flow/step_sql.hpp"
#include "plan/json_writer.hpp"
#include "plan/principals.hpp"

namespace svc::plan {
namespace {

using model::FlowStep;
using model::RunAs;
using Gives = FlowText::Gives;

std::string run_as_word(const RunAs& run_as) {
    switch (run_as.kind) {
        case RunAs::Kind::system:
            return "system";
        case RunAs::Kind::actor:
            return "actor";
        case RunAs::Kind::persona:
            break;
    }
    return "persona:" + run_as.persona;
}

// A number as its author wrote it, more or less: 2, 1.5.
std::string number_text(double number) {
    std::ostringstream out;
    out.imbue(std::locale::classic());
    out << number;
    return out.str();
}

std::string retry_json(const model::Retry& retry) {
    return JsonWriter()
        .put_number("max", retry.max)
        .put_number("base", retry.base)
        .put("factor", number_text(retry.factor))
        .put_number("cap", retry.cap)
        .str();
}

class Definer {
  public:
    Definer(const model::Model& model, const Plan& plan, PlannedFlow& out)
        : model_(model), plan_(plan), out_(out) {}

    void run(const model::Function& in) {
        begin(in.run_as);
        retry_.max = 1;  // its caller waits
        JsonWriter json = head("function", in.name, in.run_as);
        json.put("steps", steps(in.steps));
        if (in.returns) {
            json.put("returns", said("returns", Gives::json, in.path + "/returns",
                                     "select " + json_of(*in.returns, scope(in.run_as))));
        }
        out_.definition = json.str();
    }

    void run(const model::Workflow& in) {
        begin(in.run_as);
        retry_ = in.retry;
        using Kind = model::Trigger::Kind;
        if (in.on.kind == Kind::event || in.on.kind == Kind::transition ||
            in.on.kind == Kind::payment)
            starts_from_ = &model_.entities[in.on.entity];
        const Scope at = scope(in.run_as);
        JsonWriter json = head("workflow", in.id, in.run_as);
        if (in.condition) json.put("if", condition(*in.condition, in.path, at));
        if (!in.key.empty()) {
            json.put("key", text("key", in.key, in.path + "/key", at));
            json.put_number("keyFor", in.key_for);
        }
        if (in.concurrency_limit > 0) json.put("concurrency", concurrency(in, at));
        if (in.timeout) json.put_number("timeout", *in.timeout);
        json.put("steps", steps(in.steps));
        out_.definition = json.str();
    }

  private:
    void begin(const RunAs& run_as) {
        around_ = run_as;
        out_.runs_as = run_as_word(run_as);
    }

    JsonWriter head(const char* kind, const std::string& name, const RunAs& run_as) const {
        JsonWriter json;
        json.put_text("kind", kind).put_text("name", name);
        put_run_as(run_as, json);
        return json;
    }

    void put_run_as(const RunAs& run_as, JsonWriter& json) const {
        json.put_text("runAs", run_as_word(run_as));
        for (const model::Persona& persona : model_.personas) {
            if (run_as.kind == RunAs::Kind::persona && persona.id == run_as.persona)
                json.put_text("principals", all_names(persona));
        }
    }

    Scope scope(const RunAs& run_as) const {
        Scope out{.model = model_, .row = "", .nested = ""};
        out.context =
            run_as.kind == RunAs::Kind::system ? Scope::Context::system : Scope::Context::caller;
        out.starts_from = starts_from_;
        return out;
    }

    // Notes the statement, and gives it as JSON.
    std::string said(std::string what, Gives gives, std::string path, std::string sql) {
        std::string json = json_string(sql);
        out_.texts.push_back({gives, std::move(what), depth_, std::move(sql), std::move(path)});
        return json;
    }

    std::string condition(const model::Expr& expr, const std::string& path, const Scope& at,
                          const char* what = "if") {
        return said(what, Gives::boolean, path + "/if",
                    "select coalesce(" + sql_true(expr, at) + ", false)");
    }

    std::string text(const char* what, const model::Template& pieces, const std::string& path,
                     const Scope& at) {
        return said(what, Gives::text, path, "select " + sql_message(pieces, at));
    }

    std::string concurrency(const model::Workflow& in, const Scope& at) {
        return JsonWriter()
            .put("key", text("concurrency key", in.concurrency_key, in.path + "/concurrency", at))
            .put_number("limit", in.concurrency_limit)
            .put_text("overflow", in.overflow)
            .str();
    }

    std::string steps(const std::vector<FlowStep>& all) {
        std::vector<std::string> out;
        out.reserve(all.size());
        for (const FlowStep& one : all) out.push_back(step(one));
        return json_list(out);
    }

    std::string step(const FlowStep& in) {
        const RunAs before = around_;
        if (in.run_as) around_ = *in.run_as;
        const Scope at = scope(around_);
        JsonWriter json;
        json.put_text("id", in.id).put_text("kind", kind_of(in));
        put_run_as(around_, json);
        json.put("retry", retry_json(in.retry.value_or(retry_)));
        if (in.timeout) json.put_number("timeout", *in.timeout);
        if (in.repeat) json.put("for", repeat(in, at));
        if (in.goes_on) json.put_text("onError", "continue");
        if (in.condition) json.put("if", condition(*in.condition, in.path, at, named(in, "if")));
        if (!in.idempotency.empty()) {
            json.put("idempotency",
                     text(named(in, "idempotency"), in.idempotency, in.path + "/idempotency", at));
        }
        what_ = in.id + ": " + kind_of(in);
        path_ = in.path + "/" + kind_of(in);
        std::visit([&](const auto& action) { put(action, at, json); }, in.action);
        around_ = before;
        return json.str();
    }

    // For readers: "tell if".
    const char* named(const FlowStep& in, const char* what) {
        name_ = in.id + ", " + what;
        return name_.c_str();
    }

    std::string repeat(const FlowStep& in, const Scope& at) {
        return JsonWriter()
            .put_text("as", in.repeat->as)
            .put("list",
                 said(named(in, "for"), Gives::json, in.path + "/for", repeat_sql(*in.repeat, at)))
            .str();
    }

    static const char* kind_of(const FlowStep& step) {
        static constexpr const char* kKinds[] = {
            "create", "update",  "delete",  "transition", "query",  "set", "switch",
            "sleep",  "waitFor", "http",    "connector",  "mcp",    "ai",  "embed",
            "email",  "notify",  "publish", "call",       "return", "fail"};
        static_assert(std::size(kKinds) == std::variant_size_v<model::FlowAction>);
        return kKinds[step.action.index()];
    }

    void sql(std::string statement, JsonWriter& json) {
        json.put("sql", said(what_, Gives::json, path_, std::move(statement)));
    }

    void put(const model::CreateStep& in, const Scope& at, JsonWriter& json) {
        sql(create_sql(in, at), json);
    }
    // Which row the step is about: where there is none, its failure says so (svc.no_row).
    template <class Step>
    void about(const Step& in, const Scope& at, JsonWriter& json) {
        json.put_text("entity", model_.entities[in.entity].name);
        json.put("row", json_string("(" + row_id(in.id, at) + ")"));
    }

    void put(const model::UpdateStep& in, const Scope& at, JsonWriter& json) {
        sql(update_sql(in, at), json);
        about(in, at, json);
    }
    void put(const model::DeleteStep& in, const Scope& at, JsonWriter& json) {
        sql(delete_sql(in, at), json);
        about(in, at, json);
    }
    void put(const model::TransitionStep& in, const Scope& at, JsonWriter& json) {
        sql(transition_sql(in, at), json);
        about(in, at, json);
    }
    void put(const model::QueryStep& in, const Scope& at, JsonWriter& json) {
        sql(query_sql(plan_.queries[in.query], in, at), json);
    }
    void put(const model::SetStep& in, const Scope& at, JsonWriter& json) {
        sql(set_sql(in, at), json);
    }
    void put(const model::SwitchStep& in, const Scope& at, JsonWriter& json) {
        sql(switch_sql(in, at), json);
        ++depth_;
        std::vector<std::string> cases;
        for (const auto& [value, branch] : in.cases) {
            cases.push_back(
                JsonWriter().put_text("value", value).put("steps", steps(branch)).str());
        }
        json.put("cases", json_list(cases));
        if (in.has_else) json.put("else", steps(in.otherwise));
        --depth_;
    }
    void put(const model::SleepStep& in, const Scope&, JsonWriter& json) {
        json.put_number("seconds", in.seconds);
        out_.texts.push_back(
            {Gives::json, what_ + " for " + std::to_string(in.seconds) + " s", depth_, "", path_});
    }
    void put(const model::WaitForStep& in, const Scope& at, JsonWriter& json) {
        const std::string path = path_;
        sql(wait_sql(in, at), json);
        if (in.condition) json.put("filter", condition(*in.condition, path, at, "its message, if"));
        json.put_number("timeout", in.timeout);
    }
    void put(const model::HttpStep& in, const Scope& at, JsonWriter& json) {
        sql(http_sql(in, at), json);
        JsonWriter secrets;
        for (const auto& [header, secret] : in.secrets) secrets.put_text(header, secret);
        std::vector<std::string> accept;
        for (const std::uint32_t status : in.accept) accept.push_back(std::to_string(status));
        json.put("secrets", secrets.str()).put("accept", json_list(accept));
    }
    void put(const model::ConnectorStep& in, const Scope& at, JsonWriter& json) {
        sql(connector_sql(in, at), json);
    }
    void put(const model::McpStep& in, const Scope& at, JsonWriter& json) {
        sql(mcp_sql(in, at), json);
    }
    void put(const model::AiStep& in, const Scope& at, JsonWriter& json) {
        sql(ai_sql(in, at), json);
    }
    void put(const model::EmbedStep& in, const Scope& at, JsonWriter& json) {
        sql(embed_sql(in, at), json);
    }
    void put(const model::EmailStep& in, const Scope& at, JsonWriter& json) {
        sql(email_sql(in, at), json);
    }
    void put(const model::NotifyStep& in, const Scope& at, JsonWriter& json) {
        sql(notify_sql(in, at), json);
    }
    void put(const model::PublishStep& in, const Scope& at, JsonWriter& json) {
        sql(publish_sql(in, at), json);
    }
    void put(const model::CallStep& in, const Scope& at, JsonWriter& json) {
        if (in.workflow) {
            json.put_text("workflow", model_.flows.workflows[in.target].id);
        } else {
            json.put_text("function", model_.flows.functions[in.target].name);
        }
        sql(call_sql(in, at), json);
    }
    void put(const model::ReturnStep& in, const Scope& at, JsonWriter& json) {
        sql("select " + json_of(in.value, at), json);
    }
    void put(const model::FailStep& in, const Scope& at, JsonWriter& json) {
        sql("select to_jsonb((" + sql_message(in.message, at) + ")::text)", json);
    }

    const model::Model& model_;
    const Plan& plan_;
    PlannedFlow& out_;
    RunAs around_;
    const model::Entity* starts_from_ = nullptr;
    model::Retry retry_;
    unsigned depth_ = 0;
    std::string what_, path_, name_;  // of the step at hand
};

}  // namespace

void define(const model::Model& model, const Plan& plan, const model::Function& in,
            PlannedFlow& out) {
    Definer(model, plan, out).run(in);
}

void define(const model::Model& model, const Plan& plan, const model::Workflow& in,
            PlannedFlow& out) {
    Definer(model, plan, out).run(in);
}

}  // namespace svc::plan
