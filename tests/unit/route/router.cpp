#include "route/router.hpp"

#include <gtest/gtest.h>

namespace svc::route {
namespace {

std::string_view path_of(const Router::Match& match) {
    return match.endpoint ? match.endpoint->path : std::string_view();
}

const Router& router() {
    static const Router made({
        {Method::get, "/api/v1/order", Entry::data, {}},
        {Method::post, "/api/v1/order", Entry::data, {}},
        {Method::get, "/api/v1/order/<id>", Entry::data, {}},
        {Method::patch, "/api/v1/order/<id>/transition", Entry::data, {}},
        {std::nullopt, "/api/v1/<path>", Entry::data, {}},
        {Method::get, "/queries", Entry::data, {}},
        {Method::post, "/queries/<path>", Entry::data, {}},
        {Method::get, "/auth/me", Entry::key, {}},
    });
    return made;
}

TEST(Router, FindsPathAndMethod) {
    EXPECT_EQ(router().match("GET", "/api/v1/order").endpoint->method, Method::get);
    EXPECT_EQ(router().match("HEAD", "/api/v1/order").endpoint->method, Method::get);
    EXPECT_EQ(router().match("POST", "/api/v1/order").endpoint->method, Method::post);
    EXPECT_EQ(path_of(router().match("GET", "/auth/me")), "/auth/me");
    EXPECT_TRUE(router().match("GET", "/api/v1/order").data);
    EXPECT_FALSE(router().match("GET", "/auth/me").data);
}

TEST(Router, GivesTheId) {
    const auto get = router().match("GET", "/api/v1/order/a%20b");
    EXPECT_EQ(path_of(get), "/api/v1/order/<id>");
    EXPECT_EQ(get.id, "a%20b");
    const auto move = router().match("PATCH", "/api/v1/order/7/transition");
    EXPECT_EQ(path_of(move), "/api/v1/order/<id>/transition");
    EXPECT_EQ(move.id, "7");
}

TEST(Router, GivesWhatStandsAtAPathsEnd) {
    const auto run = router().match("POST", "/queries/sales/by_month");
    EXPECT_EQ(path_of(run), "/queries/<path>");
    EXPECT_EQ(run.id, "sales/by_month");
    EXPECT_EQ(router().match("GET", "/queries/sales").endpoint, nullptr);
    EXPECT_EQ(router().match("GET", "/queries/sales").allow, "POST");
    EXPECT_EQ(router().match("POST", "/queries").allow, "GET, HEAD");
    EXPECT_EQ(router().match("POST", "/queries/").endpoint, nullptr);
    for (const char* path : {"/api/v1/orders", "/api/v1/order/7/other", "/api/v1/order/",
                             "/api/v1/order/7/transition/8"}) {
        const auto unknown = router().match("PUT", path);
        EXPECT_EQ(path_of(unknown), "/api/v1/<path>") << path;
        EXPECT_EQ(unknown.id, std::string_view(path).substr(8)) << path;
    }
}

TEST(Router, TellsWrongMethodsFromWrongPaths) {
    EXPECT_EQ(router().match("PUT", "/api/v1/order").allow, "GET, HEAD, POST");
    EXPECT_EQ(router().match("PUT", "/api/v1/order").endpoint, nullptr);
    EXPECT_TRUE(router().match("PUT", "/api/v1/order").data);
    EXPECT_EQ(router().match("POST", "/auth/me").allow, "GET, HEAD");
    for (const char* path : {"", "/", "/api/v1", "//api/v1/order", "/auth/me/", "/auth"}) {
        EXPECT_EQ(router().match("GET", path).endpoint, nullptr) << path;
        EXPECT_EQ(router().match("GET", path).allow, "") << path;
    }
}

TEST(Router, KnowsTheAddressesThatOthersKeep) {
    const Router made({
        {.method = Method::post, .path = "/hooks/<path>", .kept_address = true},
        {.method = Method::post, .path = "/files/<id>"},
    });
    for (const char* path : {"/hooks", "/hooks/", "/hooks/shop", "/hooks/shop/paid"})
        EXPECT_TRUE(made.is_kept_address(path)) << path;
    for (const char* path : {"/", "/hook", "/hooksmith", "/files/1", "/x/hooks/shop"})
        EXPECT_FALSE(made.is_kept_address(path)) << path;
    EXPECT_TRUE(made.is_kept_address_of("/hooks/shop/paid", "shop"));
    EXPECT_TRUE(made.is_kept_address_of("/hooks/shop", "shop"));
    for (const char* path : {"/hooks", "/hooks/", "/hooks/shopping/paid", "/hooks/other/shop"})
        EXPECT_FALSE(made.is_kept_address_of(path, "shop")) << path;
    EXPECT_FALSE(made.is_kept_address_of("/hooks//paid", ""));
}

TEST(Router, FindsWhatAPathSaysToOptions) {
    const Router made({
        {.method = Method::post, .path = "/files/tus", .options = [](http::Reply&) {}},
        {.method = Method::get, .path = "/files/tus/<id>", .options = [](http::Reply&) {}},
        {.method = Method::patch, .path = "/files/tus/<id>"},
        {.method = Method::get, .path = "/files/<id>"},
    });
    EXPECT_TRUE(made.match("OPTIONS", "/files/tus").options);
    EXPECT_TRUE(made.match("OPTIONS", "/files/tus/7").options);
    EXPECT_FALSE(made.match("OPTIONS", "/files/tusk").options);
    EXPECT_FALSE(made.match("OPTIONS", "/files/tus/7/x").options);
}

}  // namespace
}  // namespace svc::route
