// The service on svcd's public address. It answers the developer API and the platform's few pages
// itself. For every other request it finds the app and passes the connection on.
#pragma once

#include "calls/context.hpp"
#include "http/answer.hpp"
#include "http/progress.hpp"
#include "http/route_table.hpp"
#include "http/server.hpp"
#include "http/target.hpp"
#include "http/workers.hpp"
#include "service/long_calls.hpp"
#include "service/migrations.hpp"

namespace svc::devapi {

class DevService : public http::Service {
  public:
    DevService(Context& context, Workers& workers);

    bool credentials_in_query(const http::Head& head) override {
        return devapi::credentials_in_query(head);
    }
    http::Claim claim(const http::Head& head) override;
    std::size_t body_limit(const http::Head& head) override;
    // Waits for long calls and for followers. Nobody may be connected any more.
    void join() {
        slow_.join();
        followers_.join();
    }
    Task<> handle(http::Exchange& exchange) override;
    void refuse(const http::Head& head, const Error& error, http::Reply& reply) override {
        refuse_call(head, error, reply);
    }
    void hand_off(http::Connection connection) override;

  private:
    static constexpr std::size_t kSlowWorkers = 12;
    struct Call;

    Target target_of(const http::Head& head) const;
    Match find(const http::Head& head) const;
    Task<> answer(http::Exchange& exchange, const Match& match);
    Task<> stream(http::Exchange& exchange, Call& call);
    Task<> run(Call& call);
    Task<> run_long(Call& call);
    void dispatch_call(Call& call) const noexcept;
    void admit_call(Call& call) const noexcept;
    void perform_call(Call& call) const noexcept;
    void turn_away(Call& call) const noexcept;

    Context& context_;
    Workers& workers_;
    const HasApp has_app_;
    Workers slow_{kSlowWorkers};         // builds, verifications, copies, SQL of developers
    LongCalls long_calls_;               // whose those are
    Workers followers_{kFollowers + 1};  // routes that follow
    Migrations migrations_;
    RouteTable pages_;  // whole paths
    RouteTable api_;    // below /dev/v1 and /api/dev/v1
};

}  // namespace svc::devapi
