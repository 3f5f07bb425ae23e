#include "pq/connection.hpp"

#include <vector>

namespace svc::pq {
namespace {

// libpq takes texts that end with a NUL.
class Values {
  public:
    explicit Values(std::span<const Param> params) {
        texts_.reserve(params.size());
        for (const Param& param : params) texts_.emplace_back(param.value_or(""));
        for (std::size_t i = 0; i < params.size(); ++i)
            pointers_.push_back(params[i] ? texts_[i].c_str() : nullptr);
    }
    int count() const { return static_cast<int>(pointers_.size()); }
    const char* const* data() const { return pointers_.data(); }

  private:
    std::vector<std::string> texts_;
    std::vector<const char*> pointers_;
};

}  // namespace

bool done(const Result& result) {
    const ExecStatusType status = PQresultStatus(result.get());
    return status == PGRES_COMMAND_OK || status == PGRES_TUPLES_OK;
}

Connection::Connection(const std::string& url) : connection_(PQconnectdb(url.c_str())) {
    if (!open()) return;
    PQsetClientEncoding(handle(), "UTF8");
    PQsetNoticeReceiver(
        handle(), [](void*, const PGresult*) {}, nullptr);
}

Result Connection::run(const std::string& statements) const {
    return Result(PQexec(handle(), statements.c_str()));
}

Result Connection::run_one(const std::string& statement, std::span<const Param> params) const {
    const Values values(params);
    return Result(PQexecParams(handle(), statement.c_str(), values.count(), nullptr, values.data(),
                               nullptr, nullptr, 0));
}

bool Connection::send_one(const std::string& statement, std::span<const Param> params) const {
    const Values values(params);
    return PQsendQueryParams(handle(), statement.c_str(), values.count(), nullptr, values.data(),
                             nullptr, nullptr, 0) == 1 &&
           PQsetSingleRowMode(handle()) == 1;
}

void Connection::cancel() const {
    const std::unique_ptr<PGcancel, void (*)(PGcancel*)> request(PQgetCancel(handle()),
                                                                 PQfreeCancel);
    char words[256];
    if (request) PQcancel(request.get(), words, sizeof words);
}

}  // namespace svc::pq
