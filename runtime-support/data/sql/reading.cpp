#include "data/sql/reading.hpp"

#include <list>
#include <mutex>
#include <unordered_map>

#include "base/sql_state.hpp"
#include "data/sql/reader.hpp"
#include "sql/grammar.hpp"

namespace svc::data::sql {

namespace {

using Kept = std::shared_ptr<const Result<Reading>>;

// Keeps readings by text, because a server repeats a few statements. The least recently used one is
// dropped.
class Readings {
  public:
    Kept find(const std::string& sql) {
        const std::lock_guard lock(mutex_);
        const auto at = by_text_.find(sql);
        if (at == by_text_.end()) return {};
        order_.splice(order_.begin(), order_, at->second);
        return at->second->second;
    }

    void keep(const std::string& sql, const Kept& reading) {
        const std::lock_guard lock(mutex_);
        if (by_text_.contains(sql)) return;
        order_.emplace_front(sql, reading);
        by_text_.emplace(order_.front().first, order_.begin());
        if (order_.size() <= kMostKept) return;
        by_text_.erase(order_.back().first);
        order_.pop_back();
    }

  private:
    static constexpr std::size_t kMostKept = 256;

    std::mutex mutex_;
    std::list<std::pair<std::string, Kept>> order_;
    std::unordered_map<std::string_view, decltype(order_)::iterator> by_text_;
};

Error no_statement(std::string why, std::string_view sqlstate = {}) {
    Error error = bad_params(std::move(why), "sql");
    error.sqlstate = sqlstate;
    return error;
}

Result<Reading> read_new(const std::string& sql) {
    svc::sql::SyntaxError mistake;
    const auto statements = svc::sql::parse_sql(sql, mistake);
    if (!statements) return no_statement(mistake.message, base::sqlstate::kSyntax);
    if (statements->is_null())
        return no_statement("The statement is nested too deeply. Make it simpler.",
                            base::sqlstate::kTooComplex);
    if (statements->empty()) return no_statement("sql is empty.");
    if (statements->size() > 1) return no_statement("Send one statement at a time.");
    const nlohmann::json& statement = statements->front();
    const auto begin = statement.value("stmt_location", std::size_t{0});
    const auto length = statement.value("stmt_len", std::size_t{0});
    auto reading = read_tree(statement.at("stmt"));
    if (!reading) return reading;
    reading->begin = begin;
    reading->end = length == 0 ? sql.find_last_not_of(" \t\r\n\f;") + 1 : begin + length;
    return reading;
}

}  // namespace

Kept reading_of(const std::string& sql) {
    static Readings kept;
    if (auto known = kept.find(sql)) return known;
    auto reading = std::make_shared<const Result<Reading>>(read_new(sql));
    kept.keep(sql, reading);
    return reading;
}

}  // namespace svc::data::sql
