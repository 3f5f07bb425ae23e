// Checks what listeners get when rows change: each change that the contract lets them see, before
// and after, with the fields that they may read, as in the table.
#include <algorithm>
#include <nlohmann/json.hpp>

#include "common/json_slice.hpp"
#include "plan/names.hpp"
#include "verify/app/server.hpp"
#include "verify/clone/fixtures.hpp"
#include "verify/feed/feed_changes.hpp"
#include "verify/feed/feed_watchers.hpp"
#include "verify/feed/row_values.hpp"

namespace svc::devapi::verification {
namespace {

using nlohmann::json;

// One caller, one stream of one table.
struct Listener {
    const VerifyCaller& caller;
    std::unique_ptr<Stream> stream;
};

// The event that a change should give a caller. Empty: none.
struct ExpectedFrame {
    std::string event, id, row;
    std::string words() const { return event + " " + id; }
};

class FeedTrial {
  public:
    FeedTrial(Subject& subject, VerifyCheck& out) : subject_(subject), out_(out) {}

    void run() {
        for (std::size_t i = 0; i < subject_.model.entities.size(); ++i) {
            const model::Entity& entity = subject_.model.entities[i];
            if (!is_table(entity) || !can_be_tried(subject_.model, entity)) continue;
            try_table(i);
            ++tables_;
        }
    }

    std::size_t tables() const { return tables_; }
    std::size_t changes() const { return changes_; }

  private:
    const model::Entity& entity() const { return subject_.model.entities[index_]; }

    void try_table(std::size_t index) {
        index_ = index;
        listeners_.clear();
        for (const VerifyCaller& caller : subject_.callers) listen(caller);
        FeedWatchers watchers(subject_, out_, index_);
        std::vector<const VerifyCaller*> callers;
        for (const Listener& listener : listeners_) callers.push_back(&listener.caller);
        const auto made = FeedChanges(subject_, out_, index_, callers, watchers.pictures()).make();
        changes_ += made.size();
        compare(made);
        watchers.compare(made, callers);
    }

    void listen(const VerifyCaller& caller) {
        auto stream =
            subject_.server->listen(caller, "/topics/row-changed:" + entity().name + "/subscribe");
        if (stream->status() == 200) {
            listeners_.push_back({caller, std::move(stream)});
            return;
        }
        Oracle oracle(subject_.model, caller);
        const bool any = subject_.connection.is_true(
            "select exists (select from " + plan::table(entity().name) + " r where " +
            oracle.may(Operation::read, index_, "r") + ")");
        if (stream->status() == 403 && !any) return out_.good();
        out_.bad(caller.name + " listens to " + entity().name + " and is answered " +
                 std::to_string(stream->status()) + ".");
    }

    void compare(const std::vector<FeedChange>& made) {
        const std::string mark = "{\"verified\":" + std::to_string(index_) + "}";
        VerifyCaller server;
        server.server = true;
        const auto sent = subject_.server->call(server, "POST",
                                                "/topics/row-changed:" + entity().name + "/publish",
                                                "{\"payload\":" + mark + "}");
        if (sent.status != 200)
            return out_.bad("A server published to row-changed:" + entity().name +
                            " and was answered " + std::to_string(sent.status) + ": " + sent.body);
        RowValues values(subject_.connection, entity());
        const FeedResets resets(subject_.model, index_, index_);
        for (std::size_t i = 0; i < listeners_.size(); ++i) {
            const VerifyCaller& caller = listeners_[i].caller;
            const auto frames = listeners_[i].stream->until(mark);
            const bool reset = std::ranges::any_of(
                frames, [](const Stream::Frame& frame) { return frame.event == "reset"; });
            if (reset)
                judge_reset(caller, resets.may_need(caller, i, made));
            else
                compare(caller, frames, tellings(made, i, caller, values), values);
        }
    }

    // A reset makes them read again, so what they get beside it decides nothing.
    void judge_reset(const VerifyCaller& caller, bool may_need) {
        if (may_need) return out_.good();
        out_.bad(who(caller) +
                 "a reset, although none of the changes can show or hide another row to them. The "
                 "log of the app's servers may say why (feed_not_judged).");
    }

    // A change in unreadable fields is not sent.
    static std::vector<ExpectedFrame> tellings(const std::vector<FeedChange>& made,
                                               std::size_t listener, const VerifyCaller& caller,
                                               RowValues& values) {
        std::vector<ExpectedFrame> out;
        for (const FeedChange& change : made) {
            const bool before = change.saw[listener], after = change.sees[listener];
            if (before && after && !values.differ(caller, change.before, change.after)) continue;
            if (after)
                out.push_back({before ? "updated" : "created", change.id, change.after});
            else if (before)
                out.push_back({"deleted", change.id, {}});
        }
        return out;
    }

    void compare(const VerifyCaller& caller, const std::vector<Stream::Frame>& frames,
                 const std::vector<ExpectedFrame>& should, RowValues& values) {
        for (std::size_t i = 0; i < std::max(frames.size(), should.size()); ++i) {
            const json data =
                i < frames.size() ? json::parse(frames[i].data, nullptr, false) : json::object();
            const std::string actual = i < frames.size()
                                           ? data.value("event", "") + " " + data.value("id", "")
                                           : "nothing more";
            const std::string expected = i < should.size() ? should[i].words() : "nothing more";
            if (actual != expected)
                return out_.bad(who(caller) + actual + " where the contract lets them see " +
                                expected + ".");
            look_at(caller, frames[i].data, should[i], values);
        }
        out_.good();
    }

    void look_at(const VerifyCaller& caller, const std::string& data, const ExpectedFrame& should,
                 RowValues& values) {
        const auto row = json_member(data, "row");
        if (row.has_value() != !should.row.empty())
            return out_.bad(who(caller) + (row ? "the row of what is " : "no row of what is ") +
                            should.words() + ".");
        const std::string wrong = row ? values.wrong(caller, *row, should.row) : "";
        if (wrong.empty()) return out_.good();
        out_.bad(who(caller) + wrong + " (" + should.words() + ").");
    }

    std::string who(const VerifyCaller& caller) const {
        return caller.name + " listens to " + entity().name + " and gets ";
    }

    Subject& subject_;
    VerifyCheck& out_;
    std::size_t index_ = 0, tables_ = 0, changes_ = 0;
    std::vector<Listener> listeners_;
};

}  // namespace

void check_feeds(Subject& subject, VerifyCheck& out) {
    if (!subject.server) return not_served(out);
    FeedTrial trial(subject, out);
    trial.run();
    warn_of_untried(subject.model, out);
    out.said = std::to_string(subject.callers.size()) + " callers listen to " +
               std::to_string(trial.tables()) + " tables while " + std::to_string(trial.changes()) +
               " changes are made.";
}

}  // namespace svc::devapi::verification
