#include "ops/router.hpp"

#include <gtest/gtest.h>

namespace svc::ops {
namespace {

class RouterTest : public testing::Test {
  protected:
    RouterTest() {
        for (const Route& route : kRoutes) router_.add(route.method, route.path, {&route, nullptr});
        router_.add(Method::get, "/auth/me", {nullptr, &kMe});
    }

    static constexpr Route kRoutes[] = {
        {Method::get, "/api/v1/order", Action::list, nullptr},
        {Method::post, "/api/v1/order", Action::create, nullptr},
        {Method::get, "/api/v1/order/<id>", Action::get, nullptr},
        {Method::patch, "/api/v1/order/<id>/transition", Action::transition, nullptr},
    };
    static constexpr auth::AuthRoute kMe{Method::get, "/auth/me", auth::Need::key, nullptr};
    Router router_;
};

TEST_F(RouterTest, FindsPathAndMethod) {
    EXPECT_EQ(router_.match("GET", "/api/v1/order").endpoint->data, &kRoutes[0]);
    EXPECT_EQ(router_.match("HEAD", "/api/v1/order").endpoint->data, &kRoutes[0]);
    EXPECT_EQ(router_.match("POST", "/api/v1/order").endpoint->data, &kRoutes[1]);
    EXPECT_NE(router_.match("GET", "/auth/me").endpoint->account, nullptr);
}

TEST_F(RouterTest, GivesTheId) {
    const auto get = router_.match("GET", "/api/v1/order/a%20b");
    EXPECT_EQ(get.endpoint->data, &kRoutes[2]);
    EXPECT_EQ(get.id, "a%20b");
    const auto move = router_.match("PATCH", "/api/v1/order/7/transition");
    EXPECT_EQ(move.endpoint->data, &kRoutes[3]);
    EXPECT_EQ(move.id, "7");
}

TEST_F(RouterTest, TellsWrongMethodsFromWrongPaths) {
    EXPECT_EQ(router_.match("PUT", "/api/v1/order").allow, "GET, HEAD, POST");
    EXPECT_EQ(router_.match("PUT", "/api/v1/order").endpoint, nullptr);
    EXPECT_EQ(router_.match("POST", "/auth/me").allow, "GET, HEAD");
    for (const char* path :
         {"", "/", "/api/v1", "/api/v1/", "/api/v1/orders", "/api/v1/order/",
          "/api/v1/order/7/other", "/api/v1/order/7/transition/8", "//api/v1/order", "/auth/me/"}) {
        EXPECT_EQ(router_.match("GET", path).endpoint, nullptr) << path;
        EXPECT_EQ(router_.match("GET", path).allow, "") << path;
    }
}

}  // namespace
}  // namespace svc::ops
