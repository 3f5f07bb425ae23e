// Access that asks for access: over same_as, and by can(). It must come to an end.
#include <algorithm>
#include <set>
#include <utility>

#include "model/access/access_graph.hpp"
#include "model/parts.hpp"

namespace svc::model {
namespace {

constexpr std::size_t kNone = ~std::size_t{0};

// The first mention that comes to no end, of each node that has one.
std::vector<std::size_t> endless(const AccessGraph& graph) {
    std::vector<bool> ends(graph.size(), false);
    for (const std::size_t node : leaves_first(graph)) ends[node] = true;
    std::vector<std::size_t> out(graph.size(), kNone);
    for (std::size_t n = 0; n < graph.size(); ++n) {
        const auto& mentions = graph[n].mentions;
        const auto first = std::find_if(mentions.begin(), mentions.end(),
                                        [&](const auto& mention) { return !ends[mention.node]; });
        if (first != mentions.end()) out[n] = static_cast<std::size_t>(first - mentions.begin());
    }
    return out;
}

// Reports each circle once, at its first entity, and cuts it: the rest may have other circles.
class Circles {
  public:
    explicit Circles(Work work) : work_(work), graph_(access_graph(work.out)) {}

    void report() {
        constexpr int kMostRounds = 20;  // each reports all circles that have nothing in common
        for (int round = 0; round < kMostRounds; ++round) {
            next_ = endless(graph_);
            const auto circles = found();
            if (circles.empty()) return;
            for (const auto& circle : circles) report(circle);
            for (const auto& circle : circles) cut(circle);
        }
    }

  private:
    std::size_t after(std::size_t node) const { return graph_[node].mentions[next_[node]].node; }

    // Along the first mentions alone, so that none shares a node with another.
    std::vector<std::vector<std::size_t>> found() const {
        std::vector<std::vector<std::size_t>> out;
        std::vector<std::size_t> walk_of(graph_.size(), kNone);
        for (std::size_t start = 0; start < graph_.size(); ++start) {
            std::size_t at = start;
            std::vector<std::size_t> way;
            for (; next_[at] != kNone && walk_of[at] == kNone; at = after(at)) {
                walk_of[at] = start;
                way.push_back(at);
            }
            if (next_[at] == kNone || walk_of[at] != start) continue;
            way.erase(way.begin(), std::find(way.begin(), way.end(), at));
            std::rotate(way.begin(), std::min_element(way.begin(), way.end()), way.end());
            out.push_back(std::move(way));
        }
        return out;
    }

    void cut(const std::vector<std::size_t>& circle) {
        for (const std::size_t node : circle) {
            const std::size_t to = after(node);
            std::erase_if(graph_[node].mentions,
                          [&](const auto& mention) { return mention.node == to; });
        }
    }

    void report(std::vector<std::size_t> circle) {
        bool news = false, asks = false;
        for (const std::size_t node : circle) {
            news = reported_.insert(graph_[node].entity).second || news;
            asks = asks || graph_[node].mentions[next_[node]].by_can;
        }
        if (!news) return;  // the same entities, of another operation
        const Entity& first = work_.out.entities[graph_[circle[0]].entity];
        const std::string subject = "Access to \"" + first.name + "\" ";
        circle.push_back(circle[0]);
        work_.findings.error("ACCESS_CYCLE", first.path + "/access",
                             subject +
                                 (asks ? "depends on itself: " + questions(circle)
                                       : "leads back to itself: " + names(circle)) +
                                 ".",
                             asks ? "write the condition out, instead of can()"
                                  : "write the grants out on one of the entities");
    }

    const std::string& name(std::size_t node) const {
        return work_.out.entities[graph_[node].entity].name;
    }

    std::string names(const std::vector<std::size_t>& circle) const {
        std::string out;
        for (const std::size_t node : circle) out += (out.empty() ? "" : " \u2192 ") + name(node);
        return out;
    }

    std::string questions(const std::vector<std::size_t>& circle) const {
        const std::string word = kAccessWords[graph_[circle[0]].operation];
        if (circle.size() == 2)
            return "to " + word + " a row the caller must be allowed to " + word + " it";
        std::string out;
        for (const std::size_t node : circle) {
            out += (out.empty() ? "to " : ", for which the caller must be allowed to ") +
                   std::string(kAccessWords[graph_[node].operation]) + " a row of " + name(node);
        }
        return out;
    }

    Work work_;
    AccessGraph graph_;
    std::vector<std::size_t> next_;
    std::set<std::size_t> reported_;
};

}  // namespace

void check_questions(Work work) { Circles(work).report(); }

}  // namespace svc::model
