#include "db/connector.hpp"

#include <utility>

#include "db/connection_settings.hpp"

namespace svc::db {

namespace {

constexpr std::chrono::seconds kConnectTime{10};

// Options in the operator's connection string stay; the server's own come after them.
std::string connection_options(const std::string& url) {
    std::string options;
    if (PQconninfoOption* parsed = PQconninfoParse(url.c_str(), nullptr)) {
        for (PQconninfoOption* option = parsed; option->keyword != nullptr; ++option) {
            if (std::string_view(option->keyword) == "options" && option->val != nullptr) {
                options = std::string(option->val) + ' ';
            }
        }
        PQconninfoFree(parsed);
    }
    for (const auto& [name, value] : kConnectionSettings)
        options += std::string("-c ") + name + "=" + value + " ";
    return options;
}

PGconn* connect_start(const std::string& url) {
    const std::string options = connection_options(url);
    // As PostgreSQL for this end (connection_settings.hpp), unless the URL says otherwise.
    const char* keywords[] = {"keepalives_idle",
                              "keepalives_interval",
                              "keepalives_count",
                              "tcp_user_timeout",
                              "dbname",
                              "options",
                              "client_encoding",
                              "fallback_application_name",
                              nullptr};
    const char* values[] = {"30",   "10",  "3",    "60000", url.c_str(), options.c_str(),
                            "UTF8", "svc", nullptr};
    return PQconnectStartParams(keywords, values, 1);
}

void ignore_notice(void*, const PGresult*) {}

}  // namespace

// Even without a delay nothing happens within start(), because its caller is not ready yet.
void Connector::start(const std::string& url, std::chrono::steady_clock::duration delay) {
    deadline_.expires_after(delay);
    deadline_.async_wait([self = weak_from_this(), url](boost::system::error_code error) {
        auto connector = self.lock();
        if (!error && connector && connector->done_) connector->begin(url);
    });
}

void Connector::begin(const std::string& url) {
    conn_ = connect_start(url);
    if (conn_ == nullptr || PQstatus(conn_) == CONNECTION_BAD) {
        return fail(conn_ != nullptr ? PQerrorMessage(conn_) : "out of memory");
    }
    deadline_.expires_after(kConnectTime);
    deadline_.async_wait([self = weak_from_this()](boost::system::error_code error) {
        auto connector = self.lock();
        if (!error && connector) connector->fail("timeout expired");
    });
    wait(PGRES_POLLING_WRITING);
}

// libpq may open another socket at each step, so the descriptor holds one only while it waits.
void Connector::wait(PostgresPollingStatusType status) {
    using Wait = asio::posix::stream_descriptor;
    boost::system::error_code failed;
    descriptor_.assign(PQsocket(conn_), failed);
    if (failed) return fail(failed.message());
    descriptor_.async_wait(status == PGRES_POLLING_WRITING ? Wait::wait_write : Wait::wait_read,
                           [self = weak_from_this()](boost::system::error_code error) {
                               auto connector = self.lock();
                               if (!error && connector && connector->conn_) connector->poll();
                           });
}

void Connector::poll() {
    descriptor_.release();
    const PostgresPollingStatusType status = PQconnectPoll(conn_);
    if (status == PGRES_POLLING_OK) return succeed();
    if (status == PGRES_POLLING_FAILED) return fail(PQerrorMessage(conn_));
    wait(status);
}

void Connector::succeed() {
    PQsetNoticeReceiver(conn_, ignore_notice, nullptr);
    if (PQsetnonblocking(conn_, 1) != 0 || PQenterPipelineMode(conn_) != 1) {
        return fail(PQerrorMessage(conn_));
    }
    deadline_.cancel();
    PGconn* conn = std::exchange(conn_, nullptr);
    std::exchange(done_, nullptr)(conn, "");
}

void Connector::fail(std::string words) {
    Done done = std::exchange(done_, nullptr);
    cancel();
    if (done) done(nullptr, std::move(words));
}

void Connector::cancel() {
    done_ = nullptr;
    deadline_.cancel();
    if (descriptor_.is_open()) descriptor_.release();
    if (conn_ != nullptr) PQfinish(std::exchange(conn_, nullptr));
}

}  // namespace svc::db
