#include "platform/store.hpp"

#include <nlohmann/json.hpp>
#include "common/embedded.hpp"
#include "postgres/conninfo.hpp"

namespace svc::devapi {
namespace {

constexpr const char* kDatabase = "svc_platform";

void make_database(const std::string& admin_url) {
    pqxx::connection connection(admin_url);
    pqxx::nontransaction work(connection);
    if (work.exec_params("select 1 from pg_database where datname = $1", kDatabase).empty())
        work.exec("create database " + work.quote_name(kDatabase));
    // PostgreSQL lets everybody into a new one.
    work.exec("revoke all on database " + work.quote_name(kDatabase) + " from public");
}

}  // namespace

Store::Store(const std::string& admin_url, std::size_t connections)
    : url_(with_database(admin_url, kDatabase)), free_(connections) {
    make_database(admin_url);
    transact([](pqxx::work& tx) {
        tx.exec("set local client_min_messages = warning");
        tx.exec(std::string(embedded("schema.sql")));
    });
}

Store::Lease::Lease(Store& store) : store_(store) {
    std::unique_lock lock(store_.mutex_);
    store_.returned_.wait(lock, [this] { return store_.free_ > 0; });
    --store_.free_;
    if (!store_.idle_.empty()) {
        connection_ = std::move(store_.idle_.back());
        store_.idle_.pop_back();
        return;
    }
    lock.unlock();
    try {
        connection_ = std::make_unique<pqxx::connection>(store_.url_);
    } catch (...) {
        lock.lock();
        ++store_.free_;
        store_.returned_.notify_one();
        throw;
    }
}

void Store::Lease::discard() {
    connection_.reset();
    const std::lock_guard lock(store_.mutex_);
    store_.idle_.clear();
}

Store::Lease::~Lease() {
    const std::lock_guard lock(store_.mutex_);
    if (connection_ && connection_->is_open()) store_.idle_.push_back(std::move(connection_));
    ++store_.free_;
    store_.returned_.notify_one();
}

std::vector<std::string> text_list(const pqxx::field& field) {
    return nlohmann::json::parse(field.c_str()).get<std::vector<std::string>>();
}

std::optional<std::string> text_or_none(const pqxx::field& field) {
    return field.is_null() ? std::nullopt : std::optional<std::string>(field.c_str());
}

}  // namespace svc::devapi
