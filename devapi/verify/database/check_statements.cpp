// Checks how PostgreSQL would run the server's statements on the rows of dev, and finds references
// and policies without an index. What is slow is a warning: it is not a mistake of the app.
#include <nlohmann/json.hpp>
#include <set>

#include "plan/names.hpp"
#include "verify/clone/fixtures.hpp"

namespace svc::devapi::verification {
namespace {

using nlohmann::json;

constexpr double kLargeRows = 10'000;  // a table that should not be read from end to end

class Plans {
  public:
    Plans(Subject& subject, VerifyCheck& out)
        : subject_(subject), out_(out), dev_(subject.clone.source()), read_only_(dev_) {
        dev_.run("set transaction read only; set local plan_cache_mode = force_generic_plan");
        for (const auto& row : dev_.run(
                 "select relname, greatest(reltuples, 0)::bigint from pg_class where relkind in "
                 "('r', 'p') and relnamespace = 'public'::regnamespace"))
            rows_[row[0].c_str()] = row[1].as<double>();
    }

    std::size_t explain() {
        const auto statements = subject_.plan.statements();
        for (const auto& caller : subject_.callers)
            if (!caller.persona.empty()) {
                dev_.act_as(caller);
                break;
            }
        for (const auto& statement : statements) explain(statement);
        dev_.reset_role();
        return statements.size();
    }

    void look_for_indexes() {
        for (const auto& entity : subject_.model.entities) {
            if (!is_table(entity)) continue;
            const auto first = dev_.list(
                "select distinct a.attname from pg_index i join pg_attribute a on a.attrelid = "
                "i.indrelid and a.attnum = i.indkey[0] where i.indisvalid and i.indpred is null "
                "and i.indrelid = to_regclass(" +
                plan::literal(plan::table(entity.name)) + ")");
            const std::set<std::string> indexed(first.begin(), first.end());
            for (const auto& field : entity.fields)
                if (field.type == model::FieldType::ref) serves(entity, indexed, field.name, "ref");
            if (entity.owner.user) serves(entity, indexed, "user_id", "owner column");
            if (entity.owner.org) serves(entity, indexed, "org_id", "owner column");
            for (const std::string& column : asked_of_caller(entity))
                serves(entity, indexed, column, "field that access rules compare with the caller");
        }
    }

  private:
    void serves(const model::Entity& entity, const std::set<std::string>& indexed,
                const std::string& column, const std::string& what) {
        if (indexed.contains(column)) return out_.good();
        ++out_.cases;
        out_.warnings.push_back("No index begins with " + column + " of " + entity.name + ", a " +
                                what + " (" + count(entity.name) + " in dev).");
    }

    std::string count(const std::string& table) {
        return "about " + std::to_string(static_cast<long long>(rows_[table])) + " rows";
    }

    // Fields that a grant for reading compares with user.id or user.org.
    static std::set<std::string> asked_of_caller(const model::Entity& entity) {
        std::set<std::string> out;
        for (const auto& grant : entity.access.read)
            if (grant.condition) collect(entity, *grant.condition, out);
        return out;
    }

    static void collect(const model::Entity& entity, const model::Expr& expr,
                        std::set<std::string>& out) {
        for (const auto& arg : expr.args) collect(entity, *arg, out);
        if (expr.kind != model::ExprKind::eq) return;
        const auto of_caller = [](const model::Expr& side) {
            return side.kind == model::ExprKind::path && side.root == model::Root::user;
        };
        for (const std::size_t i : {0, 1}) {
            const model::Expr& side = *expr.args[i];
            if (!of_caller(*expr.args[1 - i]) || side.kind != model::ExprKind::path ||
                side.root != model::Root::row || side.steps.size() != 1)
                continue;
            const auto& step = side.steps[0];
            if (step.builtin.empty() && step.kind == model::Step::Kind::field)
                out.insert(entity.fields[step.field].name);
        }
    }

    // The check of the schema reports a statement that cannot be prepared; here it is left out.
    void explain(const plan::Statement& statement) {
        std::string types, nulls;
        for (const auto& type : statement.types) {
            types += (types.empty() ? "" : ", ") + type;
            nulls += nulls.empty() ? "null" : ", null";
        }
        const auto in_parentheses = [](const std::string& list) {
            return list.empty() ? list : " (" + list + ")";
        };
        dev_.run("savepoint one");
        try {
            dev_.run("prepare svc_verify" + in_parentheses(types) + " as " + statement.sql);
            const auto plan = json::parse(
                dev_.text("explain (format json) execute svc_verify" + in_parentheses(nulls)));
            look(plan[0]["Plan"], statement.name);
            out_.good();
            dev_.run("deallocate svc_verify");
        } catch (const pqxx::broken_connection&) {
            throw;
        } catch (const pqxx::sql_error& error) {
            dev_.run("rollback to savepoint one");
            out_.bad("The statement " + statement.name +
                     " of the server cannot be prepared: " + error.what());
        }
        dev_.run("release savepoint one");
    }

    void look(const json& node, const std::string& statement) {
        const std::string relation = node.value("Relation Name", "");
        if (node.value("Node Type", "") == "Seq Scan" && rows_[relation] >= kLargeRows &&
            reported_.insert(statement + relation).second)
            out_.warnings.push_back("The statement " + statement + " reads " + relation + " (" +
                                    count(relation) + ") completely, without an index.");
        for (const auto& below : node.value("Plans", json::array())) look(below, statement);
    }

    Subject& subject_;
    VerifyCheck& out_;
    CloneConnection dev_;
    RollbackScope read_only_;
    std::map<std::string, double> rows_;
    std::set<std::string> reported_;
};

}  // namespace

void check_statements(Subject& subject, VerifyCheck& out) {
    Plans plans(subject, out);
    plans.look_for_indexes();
    const std::size_t count = plans.explain();
    out.said = std::to_string(count) +
               " statements of the server, planned on the rows of dev, and the indexes for "
               "references and access.";
}

}  // namespace svc::devapi::verification
