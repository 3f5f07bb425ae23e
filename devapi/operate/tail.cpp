#include "operate/tail.hpp"

#include <algorithm>
#include <chrono>
#include <ctime>
#include <fstream>
#include <iterator>
#include <limits>
#include <nlohmann/json.hpp>
#include <pqxx/pqxx>

#include "common/iso_time.hpp"
#include "common/server_log.hpp"
#include "log/log.hpp"
#include "operate/topics.hpp"
#include "ops/request_ring.hpp"

namespace svc::devapi {
namespace {

using Lines = std::vector<std::string>;
using OrderedJson = nlohmann::ordered_json;

constexpr std::uint64_t kMostLog = 4 << 20;  // bytes of a log that are read
constexpr std::int64_t kSecond = 1'000'000;

// A row may be of any size; what is too much to show is null.
const std::string kEvent =
    "json_build_object('at', " + iso_millis("c.at") +
    ", 'kind', 'event', 'event', c.event, 'table', c.table_name, 'id', c.row_id, 'actor', c.actor, "
    "'transition', c.transition, "
    "'old', case when octet_length(c.old::text) <= 65536 then c.old end, "
    "'new', case when octet_length(c.new::text) <= 65536 then c.new end)::text";
const std::string kMessage = "json_build_object('at', " + iso_millis("c.at") +
                             ", 'kind', 'message', 'topic', c.topic, 'payload', c.payload, "
                             "'actor', c.actor)::text";

// The condition for the requested topics, or for all: changes of a table have the topic
// row-changed.
std::string among(const std::string& topic, const std::string& parameter) {
    return "(" + parameter + " = '' or " + topic + " = any (string_to_array(" + parameter +
           ", ',')))";
}
const std::string kNoted = "coalesce(c.topic, '') not like 'svc:%'";
const std::string kMessages = "select * from svc.topic_message c where " + kNoted;
const std::string kTopicOfChange = "'row-changed:' || c.table_name";

// The newest of a table: $1 since, $2 how many, $3 topics.
std::string newest_of(const std::string& entry, const std::string& table,
                      const std::string& topic) {
    return "(select " + entry + " as entry, c.seq from " + table +
           " c where c.at >= to_timestamp($1::float8 / 1000000) and " + among(topic, "$3") +
           " order by c.seq desc limit $2)";
}

std::string iso(std::int64_t micros) {
    const std::time_t seconds = micros / kSecond;
    std::tm utc{};
    gmtime_r(&seconds, &utc);
    char day[32], text[48];
    std::strftime(day, sizeof day, "%Y-%m-%dT%H:%M:%S", &utc);
    std::snprintf(text, sizeof text, "%s.%03dZ", day, static_cast<int>(micros % kSecond / 1000));
    return text;
}

std::string entry_of(const ops::SeenRequest& seen) {
    const OrderedJson object = {
        {"at", iso(seen.at)},    {"kind", "request"},
        {"method", seen.method}, {"path", "/__svc" + seen.path},
        {"status", seen.status}, {"ms", static_cast<double>(seen.took) / 1000}};
    return object.dump(-1, ' ', false, OrderedJson::error_handler_t::replace);
}

Lines requests_after(const TailRequest& wanted, std::uint64_t& number) {
    Lines out;
    for (const auto& seen : ops::read_requests(wanted.traces.requests, number, wanted.limit)) {
        number = std::max(number, seen.number);
        if (seen.at >= wanted.since) out.push_back(entry_of(seen));
    }
    return out;
}

// Takes only errors of the server's own log lines: the output of a crashing process has no time.
void take_error(const std::string& line, const std::string& since, Lines& out) {
    OrderedJson entry = OrderedJson::parse(line, nullptr, false);
    if (!entry.is_object()) return;
    const std::string word = entry.value("level", ""), at = entry.value("at", "");
    const auto level = base::read_word<log::Level>(word);
    if (!level || *level == log::Level::info || at < since) return;
    OrderedJson object = {{"at", at}, {"kind", "error"}, {"level", word}};
    for (const auto& [name, value] : entry.items())
        if (!object.contains(name)) object[name] = value;
    out.push_back(object.dump(-1, ' ', false, OrderedJson::error_handler_t::replace));
}

// Whole lines from `offset` on, which is moved behind them.
Lines errors_from(const std::string& path, std::uint64_t& offset, std::int64_t since) {
    const std::uint64_t size = log_size(path);
    if (offset > size) offset = 0;  // trimmed since
    if (size - offset > kMostLog) offset = size - kMostLog;
    std::ifstream file(path, std::ios::binary);
    file.seekg(static_cast<std::streamoff>(offset));
    const std::string text(std::istreambuf_iterator<char>(file), {});
    Lines out;
    const std::string from = iso(since);
    for (std::size_t at = 0, end = 0; (end = text.find('\n', at)) != std::string::npos;
         at = end + 1) {
        take_error(text.substr(at, end - at), from, out);
        offset += end + 1 - at;
    }
    return out;
}

}  // namespace

Tail::Tail(const TailRequest& wanted) : request_(wanted) {
    switch (request_.kind) {
        case TailKind::events:
            look_at_events();
            break;
        case TailKind::requests:
            first_ = requests_after(request_, number_);
            break;
        case TailKind::errors:
            look_at_errors();
            break;
        case TailKind::runs:
            runs_.emplace(request_.database, request_.workflow, request_.since);
            first_ = runs_->next(request_.limit);
            break;
    }
}

// Both questions see the same transactions as ended.
void Tail::look_at_events() {
    pqxx::connection connection(request_.database);
    pqxx::read_transaction tx(connection);
    tx.exec0("set transaction isolation level repeatable read");
    tx.exec0("set local statement_timeout = '10s'");
    cursor_ = tx.exec1("select svc.change_cursor()")[0].c_str();
    has_topics_ = tx.exec1(kHasTopics)[0].as<bool>();
    std::string newest = newest_of(kEvent, "svc.change", kTopicOfChange);
    if (has_topics_)
        newest += " union all " + newest_of(kMessage, "(" + kMessages + ")", "c.topic") +
                  " order by seq desc limit $2";
    const auto rows = tx.exec_params("select entry from (" + newest + ") newest order by seq",
                                     request_.since, request_.limit, request_.topics);
    for (const auto& row : rows) first_.emplace_back(row[0].c_str());
}

void Tail::look_at_errors() {
    std::uint64_t before = 0;
    first_ = errors_from(request_.traces.log + ".1", before, request_.since);
    for (auto& line : errors_from(request_.traces.log, offset_, request_.since))
        first_.push_back(std::move(line));
    if (first_.size() > request_.limit)
        first_.erase(first_.begin(), first_.end() - static_cast<std::ptrdiff_t>(request_.limit));
}

std::vector<std::string> Tail::next() {
    if (request_.kind == TailKind::requests) return requests_after(request_, number_);
    if (request_.kind == TailKind::errors)
        return errors_from(request_.traces.log, offset_, request_.since);
    if (runs_) return runs_->next(500);
    return has_topics_ ? next_events() : next_changes();
}

std::vector<std::string> Tail::next_events() {
    return behind_cursor("case when c.seq is not null and " + kNoted + " and " +
                         among("coalesce(c.topic, " + kTopicOfChange + ")", "$2") +
                         " then case when c.topic is null then " + kEvent + " else " + kMessage +
                         " end end from svc.feed_since($1, 500) c");
}

std::vector<std::string> Tail::next_changes() {
    return behind_cursor("case when c.seq is not null and " + among(kTopicOfChange, "$2") +
                         " then " + kEvent + " end from svc.changes_since($1, 500) c");
}

std::vector<std::string> Tail::behind_cursor(const std::string& what) {
    pqxx::connection connection(request_.database);
    pqxx::read_transaction tx(connection);
    const auto rows = tx.exec_params("select c.next, " + what, cursor_, request_.topics);
    Lines out;
    for (const auto& row : rows) {
        cursor_ = row[0].c_str();
        if (!row[1].is_null()) out.emplace_back(row[1].c_str());
    }
    return out;
}

std::int64_t since_of(const std::string& text) {
    const std::int64_t now = ops::RequestRing::now();
    if (text.empty()) return now - 86400 * kSecond;
    const std::size_t digits = std::min(text.find_first_not_of("0123456789"), text.size());
    if (digits > 0 && digits < 7 && digits + 1 == text.size()) {
        const std::int64_t count = std::stoll(text.substr(0, digits));
        const std::int64_t unit = text.back() == 's'   ? 1
                                  : text.back() == 'm' ? 60
                                  : text.back() == 'h' ? 3600
                                  : text.back() == 'd' ? 86400
                                                       : 0;
        return unit == 0 ? -1 : std::max<std::int64_t>(0, now - count * unit * kSecond);
    }
    std::tm utc{};
    const char* rest = ::strptime(text.c_str(), "%Y-%m-%dT%H:%M:%S", &utc);
    if (!rest) return -1;
    if (*rest == '.')
        for (++rest; *rest >= '0' && *rest <= '9';) ++rest;
    return std::string_view(rest) == "Z" ? std::max<std::int64_t>(0, ::timegm(&utc) * kSecond) : -1;
}

}  // namespace svc::devapi
