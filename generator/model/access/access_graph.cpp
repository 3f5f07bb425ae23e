#include "model/access/access_graph.hpp"

#include "model/expr/typer.hpp"

namespace svc::model {
namespace {

constexpr std::size_t kOperations = kAccessWords.size();
constexpr std::size_t kRead = 0, kUpdate = 2, kRemove = 3;

const std::vector<Grant>& grants_of(const auto& lists, std::size_t operation) {
    const std::array<const std::vector<Grant>*, kOperations> all = {&lists.read, &lists.create,
                                                                    &lists.update, &lists.remove};
    return *all[operation];
}

// A row that cannot be read cannot be changed, so read is also required, except if a parent decides
// both.
bool reads_apart(const Entity& entity, std::size_t operation) {
    const bool by_parent = entity.access.same_as && entity.access.deny.read.empty();
    return (operation == kUpdate || operation == kRemove) && !by_parent;
}

class GraphMaker {
  public:
    explicit GraphMaker(const Model& model) : model_(model) {}

    AccessGraph make() {
        AccessGraph out;
        out.reserve(model_.entities.size() * kOperations);
        for (std::size_t e = 0; e < model_.entities.size(); ++e) {
            for (std::size_t o = 0; o < kOperations; ++o) {
                AccessNode& node = out.emplace_back();
                node.entity = e;
                node.operation = o;
                fill(node);
            }
        }
        return out;
    }

  private:
    void fill(AccessNode& node) const {
        const Entity& entity = model_.entities[node.entity];
        const Access& access = entity.access;
        if (access.same_as) {
            const std::string path = entity.path + (access.defaulted ? "" : "/access/same_as");
            mention(node, entity.fields[*access.same_as].ref_entity,
                    node.operation == kRead ? kRead : kUpdate, false, path);
        }
        for (const auto* grants :
             {&grants_of(access, node.operation), &grants_of(access.deny, node.operation)}) {
            for (const Grant& grant : *grants) {
                if (grant.condition) questions(node, *grant.condition, grant.path + "/if");
            }
        }
    }

    void mention(AccessNode& node, std::size_t entity, std::size_t operation, bool by_can,
                 const std::string& path) const {
        node.mentions.push_back({entity * kOperations + operation, by_can, path});
        if (reads_apart(model_.entities[entity], operation))
            node.mentions.push_back({entity * kOperations + kRead, by_can, path});
    }

    void questions(AccessNode& node, const Expr& expr, const std::string& path) const {
        if (is_call(expr, ExprFunction::can)) {
            if (const auto target = referred_entity(model_, *expr.args[1])) {
                mention(node, *target, kRead, true, path);
                for (std::size_t o = 0; o < kOperations; ++o) {
                    const bool asked = o != kRead && expr.args[0]->text == kAccessWords[o];
                    if (asked) mention(node, *target, o, true, path);
                }
            }
        }
        for (const ExprPtr& arg : expr.args) questions(node, *arg, path);
    }

    const Model& model_;
};

}  // namespace

AccessGraph access_graph(const Model& model) { return GraphMaker(model).make(); }

std::vector<std::size_t> leaves_first(const AccessGraph& graph) {
    std::vector<std::size_t> open(graph.size()), out;
    std::vector<std::vector<std::size_t>> mentioned_by(graph.size());
    for (std::size_t n = 0; n < graph.size(); ++n) {
        open[n] = graph[n].mentions.size();
        for (const auto& mention : graph[n].mentions) mentioned_by[mention.node].push_back(n);
        if (open[n] == 0) out.push_back(n);
    }
    for (std::size_t i = 0; i < out.size(); ++i) {
        for (const std::size_t by : mentioned_by[out[i]]) {
            if (--open[by] == 0) out.push_back(by);
        }
    }
    return out;
}

}  // namespace svc::model
