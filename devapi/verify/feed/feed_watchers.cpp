#include "verify/feed/feed_watchers.hpp"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "plan/access.hpp"
#include "verify/clone/fixtures.hpp"

namespace svc::devapi::verification {
namespace {

using nlohmann::json;

constexpr std::size_t kMostTopics = 50;  // of one stream
constexpr const char* kMark = R"({"watched":true})";

// What the stream gets when the mark is published there.
std::string marked(const std::string& topic) {
    return R"({"topic":")" + topic + R"(","payload":)" + kMark + "}";
}

}  // namespace

FeedWatchers::FeedWatchers(Subject& subject, VerifyCheck& out, std::size_t changed)
    : subject_(subject), out_(out), changed_(changed), pictures_(subject, changed) {
    const model::Model& model = subject_.model;
    for (std::size_t i = 0; i < model.entities.size() && tables_.size() < kMostTopics; ++i) {
        if (i == changed || !is_table(model.entities[i])) continue;
        const FeedResets resets(model, i, changed);
        if (!resets.never() || depends(i)) tables_.emplace(i, resets);
    }
    for (const VerifyCaller& caller : subject_.callers) listen(caller);
}

// By the contract, whatever the generator says.
bool FeedWatchers::depends(std::size_t table) const {
    return std::ranges::any_of(subject_.callers, [&](const VerifyCaller& caller) {
        return pictures_.depends(caller, table);
    });
}

std::string FeedWatchers::topic(std::size_t table) const {
    return "row-changed:" + subject_.model.entities[table].name;
}

// The check of the table itself covers who may listen.
void FeedWatchers::listen(const VerifyCaller& caller) {
    const plan::PrincipalBits bits = bits_of(subject_.model, caller);
    Watcher watcher{caller, {}, nullptr};
    std::string query;
    for (const auto& [table, resets] : tables_) {
        const model::Entity& entity = subject_.model.entities[table];
        const auto readers = plan::access_bits(subject_.model, entity, plan::Operation::read);
        if ((readers & bits) == 0) continue;
        watcher.tables.push_back(table);
        query += (query.empty() ? "?topic=" : "&topic=") + topic(table);
    }
    if (watcher.tables.empty()) return;
    watcher.stream = subject_.server->listen(caller, "/topics/subscribe" + query);
    if (watcher.stream->status() != 200) return;
    pictures_.add(caller, watcher.tables);
    watchers_.push_back(std::move(watcher));
}

bool FeedWatchers::mark(std::size_t table) {
    VerifyCaller server;
    server.server = true;
    const auto sent = subject_.server->call(server, "POST", "/topics/" + topic(table) + "/publish",
                                            std::string(R"({"payload":)") + kMark + "}");
    if (sent.status == 200) return true;
    out_.bad("A server published to " + topic(table) + " and was answered " +
             std::to_string(sent.status) + ": " + sent.body);
    return false;
}

void FeedWatchers::compare(const std::vector<FeedChange>& made,
                           const std::vector<const VerifyCaller*>& callers) {
    for (const auto& [table, resets] : tables_)
        if (!mark(table)) return;
    for (std::size_t i = 0; i < watchers_.size(); ++i) {
        const Watcher& watcher = watchers_[i];
        const auto frames = watcher.stream->until(marked(topic(watcher.tables.back())));
        compare(watcher, frames, may_need(watcher, made, callers));
        const auto owed =
            std::ranges::find_if(made, [&](const FeedChange& one) { return one.moved[i]; });
        look_for_reset(watcher, frames, owed == made.end() ? nullptr : &*owed);
    }
}

void FeedWatchers::look_for_reset(const Watcher& watcher, const std::vector<Stream::Frame>& frames,
                                  const FeedChange* owed) {
    const bool reset = std::ranges::any_of(
        frames, [](const Stream::Frame& frame) { return frame.event == "reset"; });
    if (reset || !owed) return out_.good();
    const std::string& changed = subject_.model.entities[changed_].name;
    out_.bad(watcher.caller.name + " listens to tables that depend on " + changed +
             " and gets no reset, although a change of the row " + owed->id + " of " + changed +
             " shows or hides rows to them.");
}

bool FeedWatchers::may_need(const Watcher& watcher, const std::vector<FeedChange>& made,
                            const std::vector<const VerifyCaller*>& callers) const {
    const auto at = std::ranges::find(callers, &watcher.caller);
    std::optional<std::size_t> place;
    if (at != callers.end()) place = static_cast<std::size_t>(at - callers.begin());
    return std::ranges::any_of(watcher.tables, [&](std::size_t table) {
        return tables_.at(table).may_need(watcher.caller, place, made);
    });
}

void FeedWatchers::compare(const Watcher& watcher, const std::vector<Stream::Frame>& frames,
                           bool may_need) {
    const std::string& changed = subject_.model.entities[changed_].name;
    for (const Stream::Frame& frame : frames) {
        if (frame.event == "reset" && !may_need)
            return out_.bad(watcher.caller.name + " listens to tables that depend on " + changed +
                            " and gets a reset, although none of the changes of " + changed +
                            " can show or hide a row to them.");
        const json data = json::parse(frame.data, nullptr, false);
        if (frame.event == "message" && data.at("payload").contains("event"))
            return out_.bad(watcher.caller.name + " gets " + frame.data + " while only rows of " +
                            changed + " change.");
    }
    out_.good();
}

}  // namespace svc::devapi::verification
