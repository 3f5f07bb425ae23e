// The platform's own database, over a few blocking connections. Worker threads only.
#pragma once

#include <condition_variable>
#include <memory>
#include <mutex>
#include <optional>
#include <pqxx/pqxx>
#include <string>
#include <type_traits>
#include <vector>

namespace svc::devapi {

class Store {
  public:
    // Makes the database `svc_platform` on this server if it is not there, and brings it to the
    // schema. Throws pqxx::failure.
    Store(const std::string& admin_url, std::size_t connections);

    // Runs `work(pqxx::work&)` in one transaction and returns what it returns. A connection that
    // was lost before the commit is replaced, and the work done once more. Throws
    // pqxx::broken_connection while the server is away.
    template <class Work>
    auto transact(Work work) {
        using Result = std::invoke_result_t<Work&, pqxx::work&>;
        for (bool again = true;; again = false) {
            Lease lease(*this);
            try {
                pqxx::work transaction(lease.connection());
                if constexpr (std::is_void_v<Result>) {
                    work(transaction);
                    transaction.commit();
                    return;
                } else {
                    Result result = work(transaction);
                    transaction.commit();
                    return result;
                }
            } catch (const pqxx::broken_connection&) {
                lease.discard();
                if (!again) throw;
            }
        }
    }

  private:
    using Connection = std::unique_ptr<pqxx::connection>;

    // A connection that its destructor returns to the store.
    class Lease {
      public:
        explicit Lease(Store& store);
        ~Lease();
        Lease(const Lease&) = delete;
        Lease& operator=(const Lease&) = delete;
        pqxx::connection& connection() { return *connection_; }
        // Drops the idle connections too, because they lead to the same lost server.
        void discard();

      private:
        Store& store_;
        Connection connection_;
    };

    std::string url_;
    std::mutex mutex_;
    std::condition_variable returned_;
    std::vector<Connection> idle_;
    std::size_t free_;  // how many more may be leased
};

// The texts of a column with a JSON array.
std::vector<std::string> text_list(const pqxx::field& field);
std::optional<std::string> text_or_none(const pqxx::field& field);  // none if it is null

}  // namespace svc::devapi
