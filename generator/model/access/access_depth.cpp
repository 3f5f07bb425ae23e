// Access that asks for access is written out whole in every policy, so that it holds without
// further questions: what doubles from entity to entity must be refused before that.
#include <algorithm>

#include "model/access/access_graph.hpp"
#include "model/parts.hpp"

namespace svc::model {
namespace {

constexpr std::size_t kMostDeep = 16;       // entities below one another
constexpr std::size_t kMostWritten = 256;   // predicates in one
constexpr std::size_t kUncounted = 100000;  // the exact number is not needed

struct Measure {
    std::size_t deep = 0, written = 1;
    bool ends = false;                          // else it is in a circle, or leads into one
    const AccessNode::Mention* most = nullptr;  // that which makes it so
    bool is_too_much() const { return deep > kMostDeep || written > kMostWritten; }
};

class Depth {
  public:
    explicit Depth(Work work)
        : work_(work), graph_(access_graph(work.out)), order_(leaves_first(graph_)) {}

    // Where it first goes too far: what stands above fails for that alone.
    void report() {
        measure();
        bool reported = false;
        for (std::size_t e = 0; e < work_.out.entities.size(); ++e) {
            const std::size_t node = too_much_of(e);
            if (node == kNone || rests_on_too_much(e)) continue;
            report(node);
            reported = true;
        }
        // Two entities that are too much by one another's other operations.
        const auto any = std::find_if(order_.begin(), order_.end(),
                                      [&](std::size_t n) { return of_[n].is_too_much(); });
        if (!reported && any != order_.end()) report(*any);
    }

  private:
    static constexpr std::size_t kNone = ~std::size_t{0};

    void measure() {
        of_.resize(graph_.size());
        for (const std::size_t n : order_) {
            Measure& mine = of_[n];
            mine.ends = true;
            for (const auto& mention : graph_[n].mentions) {
                const Measure& other = of_[mention.node];
                mine.deep = std::max(mine.deep, other.deep + 1);
                mine.written = std::min(mine.written + other.written, kUncounted);
                if (!mine.most || of_[mine.most->node].written < other.written)
                    mine.most = &mention;
            }
        }
    }

    std::size_t too_much_of(std::size_t entity) const {
        const std::size_t from = entity * kAccessWords.size();
        for (std::size_t n = from; n < from + kAccessWords.size(); ++n) {
            if (of_[n].is_too_much()) return n;
        }
        return kNone;
    }

    bool rests_on_too_much(std::size_t entity) const {
        const std::size_t from = entity * kAccessWords.size();
        for (std::size_t n = from; n < from + kAccessWords.size(); ++n) {
            for (const auto& mention : graph_[n].mentions) {
                const std::size_t other = graph_[mention.node].entity;
                if (other != entity && of_[n].is_too_much() && too_much_of(other) != kNone)
                    return true;
            }
        }
        return false;
    }

    void report(std::size_t node) {
        const auto name = [&](std::size_t n) { return work_.out.entities[graph_[n].entity].name; };
        std::string chain = name(node);
        for (std::size_t n = node; of_[n].most != nullptr; n = of_[n].most->node)
            chain += " \u2192 " + name(of_[n].most->node);
        const bool deep = of_[node].deep > kMostDeep;
        work_.findings.error("ACCESS_TOO_DEEP", of_[node].most->path,
                             "Access to \"" + name(node) +
                                 "\" goes through too many entities: to " +
                                 kAccessWords[graph_[node].operation] + " a row, " +
                                 (deep ? "more than " + std::to_string(kMostDeep) +
                                             " entities are checked one after the other"
                                       : "the grants of other rows are checked more than " +
                                             std::to_string(kMostWritten) + " times") +
                                 ": " + chain + ".",
                             "write the condition out here, instead of same_as or can()");
    }

    Work work_;
    AccessGraph graph_;
    std::vector<std::size_t> order_;
    std::vector<Measure> of_;
};

}  // namespace

void check_depth(Work work) { Depth(work).report(); }

}  // namespace svc::model
