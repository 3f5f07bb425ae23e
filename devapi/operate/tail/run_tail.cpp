#include "operate/tail/run_tail.hpp"

#include <algorithm>
#include <cstdio>
#include <utility>

#include "base/number.hpp"
#include "common/iso_time.hpp"
#include "operate/id_list.hpp"
#include "operate/reading.hpp"
#include "operate/runs.hpp"

namespace svc::devapi {
namespace {

// A follower of a busy app sees the newest runs alone.
constexpr std::size_t kMostFollowed = 500;
// Each look asks for all of these. Of an app whose runs wait for months they are not all that live.
constexpr std::size_t kMostKnown = 2000;
// Later entries may have an earlier time.
constexpr std::int64_t kMargin = 10'000'000;  // microseconds

// The timestamptz `expression` in microseconds since 1970.
std::string micros(const std::string& expression) {
    return "(extract(epoch from " + expression + ") * 1000000)::bigint";
}

// The least id of a run that began so long before this one. Ids begin with their milliseconds.
std::string margin_before(const std::string& id) {
    if (id.empty()) return {};
    const std::int64_t ms = std::stoll(id.substr(0, 8) + id.substr(9, 4), nullptr, 16);
    char out[48];
    std::snprintf(out, sizeof out, "%012llx",
                  static_cast<unsigned long long>(std::max<std::int64_t>(ms - kMargin / 1000, 0)));
    const std::string digits = out;
    return digits.substr(0, 8) + '-' + digits.substr(8) + "-0000-0000-000000000000";
}

// Ids of runs are in the order of their beginning, so new ones are found by the primary key. One
// that was committed late has a smaller id than others that were seen before it.
// $1 ids that are followed, $2 an id before which none is new, $3 since, $4 workflow, $5 how many,
// $6 ids that are known.
const std::string kTailedRuns =
    "select r.id, r.status, " + micros("coalesce(r.ended_at, r.started_at, r.created_at)") +
    " as at, json_build_object('at', " +
    iso_millis("coalesce(r.ended_at, r.started_at, r.created_at)") +
    ", 'kind', 'run', 'run', r.id, 'workflow', r.workflow, 'status', r.status, 'trigger', "
    "r.trigger ->> 'kind', 'error', r.error, 'errorCode', r.error_code)::text as line, "
    "svc.has_ended(r.status) as over "
    "from (select * from svc.run where id = any ($1::uuid[]) union all (select * from svc.run "
    "where ($2 = '' or id > nullif($2, '')::uuid) and id <> all ($6::uuid[]) "
    "and (not svc.has_ended(status) or ended_at >= to_timestamp($3::float8 / 1000000)) "
    "and ($4 = '' or workflow = $4) order by id desc limit $5)) r order by r.id";

const std::string kTailedSteps =
    "select s.run, s.path || ' ' || s.attempt as place, s.status, " +
    micros("coalesce(s.ended_at, s.started_at)") + " as at, json_build_object('at', " +
    iso_millis("coalesce(s.ended_at, s.started_at)") +
    ", 'kind', 'step', 'run', s.run, 'workflow', r.workflow, 'step', s.path, 'attempt', s.attempt, "
    "'does', s.kind, 'status', s.status, 'error', s.error, 'errorCode', s.error_code)::text as "
    "line from svc.step s "
    "join svc.run r on r.id = s.run where s.run = any ($1::uuid[]) "
    "and coalesce(s.ended_at, s.started_at) >= to_timestamp($2::float8 / 1000000)";

template <typename Map>
std::vector<std::string> keys_of(const Map& map) {
    std::vector<std::string> out;
    out.reserve(map.size());
    for (const auto& entry : map) out.push_back(entry.first);
    return out;
}

}  // namespace

RunTail::RunTail(std::string database, std::string workflow, std::int64_t since)
    : database_(std::move(database)),
      workflow_(std::move(workflow)),
      since_(since),
      last_(since),
      has_runs_(devapi::has_runs(database_)) {
    look_at_source();
}

RunTail::RunTail(std::string database, std::string workflow, const TailPlace& after)
    : RunTail(std::move(database), std::move(workflow),
              base::number_of<std::int64_t>(after.position) - kMargin) {
    follows_ = true;
    if (after.source != source_) reset_ = feed::Reset::restored;
}

std::string RunTail::place() const { return tail_place("runs", {source_, std::to_string(last_)}); }

void RunTail::look_at_source() {
    pqxx::connection connection(database_);
    pqxx::read_transaction tx(connection);
    const std::string source = tx.exec1(std::string("select ") + kTailSource)[0].c_str();
    const bool restored = !source_.empty() && source != source_;
    source_ = source;
    if (!restored) return;
    reset_ = feed::Reset::restored;
    known_.clear();
    newest_.clear();
}

void RunTail::look_at_runs(pqxx::transaction_base& tx, std::vector<Entry>& out) {
    const std::size_t known = known_.size();
    for (const auto& row :
         tx.exec_params(kTailedRuns, id_list(followed()), margin_before(newest_), since_, workflow_,
                        kMostFollowed, id_list(keys_of(known_)))) {
        const std::string id = row[0].c_str(), status = row[1].c_str();
        RunProgress& progress = known_[id];
        progress.over = row[4].as<bool>();
        if (std::exchange(progress.status, status) != status)
            out.push_back({row[2].as<std::int64_t>(), row[3].c_str()});
        newest_ = std::max(newest_, id);
    }
    if (follows_ && known_.size() >= known + kMostFollowed) reset_ = feed::Reset::cursor_too_old;
}

void RunTail::look_at_steps(pqxx::transaction_base& tx, std::vector<Entry>& out) {
    for (const auto& row : tx.exec_params(kTailedSteps, id_list(followed()), since_)) {
        auto& known = known_[row[0].c_str()].steps[row[1].c_str()];
        const std::string status = row[2].c_str();
        if (std::exchange(known, status) != status)
            out.push_back({row[3].as<std::int64_t>(), row[4].c_str()});
    }
}

// Only what is older than the margin, which no look finds anew: what has ended, and the oldest of
// more than a look may ask for.
void RunTail::forget_old() {
    const std::string oldest = margin_before(newest_);
    for (auto& [id, progress] : known_) progress.told = progress.over;
    std::erase_if(known_, [&oldest](const auto& entry) {
        return entry.second.told && entry.first <= oldest;
    });
    while (known_.size() > kMostKnown && known_.begin()->first <= oldest)
        known_.erase(known_.begin());
}

std::vector<std::string> RunTail::followed() const {
    std::vector<std::string> out;
    for (const auto& [id, progress] : known_)
        if (!progress.told) out.push_back(id);
    return out;
}

TailLines RunTail::next() {
    if (has_runs_) look_at_source();
    return newest(kMostFollowed);
}

// Steps are read after the runs: those of a run that was seen to have ended are all there.
TailLines RunTail::newest(std::size_t limit) {
    if (!has_runs_) return {};
    std::vector<Entry> entries;
    Reading reading(database_);
    look_at_runs(reading.tx, entries);
    look_at_steps(reading.tx, entries);
    forget_old();
    std::stable_sort(entries.begin(), entries.end(),
                     [](const Entry& a, const Entry& b) { return a.at < b.at; });
    if (entries.size() > limit) {
        if (follows_) reset_ = feed::Reset::cursor_too_old;
        entries.erase(entries.begin(), entries.end() - static_cast<std::ptrdiff_t>(limit));
    }
    follows_ = true;
    TailLines out;
    out.reserve(entries.size());
    for (Entry& one : entries) {
        last_ = std::max(last_, one.at);
        out.push_back({std::move(one.line), place()});
    }
    return out;
}

}  // namespace svc::devapi
