// Money of payments: units of currencies, and what a provider's session says of an entry.
#include <gtest/gtest.h>

#include "base/currency.hpp"
#include "pay/checkout_session.hpp"
#include "pay/pay_context.hpp"

namespace svc::pay {
namespace {

using base::currency;
using base::units_of_whole;

TEST(Currency, WholeUnitsHaveAsManySmallestOnesAsIso4217Says) {
    EXPECT_EQ(units_of_whole(currency("eur")), 100U);
    EXPECT_EQ(units_of_whole(currency("huf")), 100U);
    EXPECT_EQ(units_of_whole(currency("jpy")), 1U);
    EXPECT_EQ(units_of_whole(currency("isk")), 1U);
    EXPECT_EQ(units_of_whole(currency("ugx")), 1U);
    EXPECT_EQ(units_of_whole(currency("bhd")), 1000U);
    EXPECT_EQ(units_of_whole(currency("clf")), 10000U);
    EXPECT_EQ(units_of_whole(currency("mga")), 100U);
}

TEST(Currency, ProvidersCountSomeInUnitsOfTheirOwn) {
    EXPECT_EQ(currency("eur").charge_factor, 1);
    EXPECT_EQ(currency("huf").charge_factor, 1);
    EXPECT_EQ(currency("jpy").charge_factor, 1);
    EXPECT_EQ(currency("isk").charge_factor, 100);
    EXPECT_EQ(currency("ugx").charge_factor, 100);
    EXPECT_EQ(currency("mga").charge_factor, -100);
    EXPECT_EQ(currency("mga").step, 100U);
    EXPECT_EQ(currency("bhd").step, 10U);
    EXPECT_EQ(currency("jpy").step, 1U);
}

Entry entry() {
    Entry out;
    out.session = "cs_1";
    out.reference = "p:order:1";
    out.charge = 1300;
    out.currency = "eur";
    return out;
}

std::string session(const std::string& rest) {
    return R"({"id":"cs_1","client_reference_id":"p:order:1","amount_total":1300,"currency":"EUR")" +
           rest + "}";
}

Verdict verdict_of(const std::string& json, bool reported_failed = false) {
    return judge(read_session(json).value(), entry(), reported_failed);
}

TEST(CheckoutSession, SaysHowThePaymentStands) {
    EXPECT_EQ(verdict_of(session(R"(,"status":"open","payment_status":"unpaid")")),
              Verdict::processing);
    EXPECT_EQ(verdict_of(session(R"(,"status":"complete","payment_status":"paid")")),
              Verdict::paid);
    EXPECT_EQ(verdict_of(session(R"(,"status":"complete","payment_status":"unpaid")")),
              Verdict::processing);
    EXPECT_EQ(verdict_of(session(R"(,"status":"expired","payment_status":"unpaid")")),
              Verdict::failed);
    EXPECT_EQ(verdict_of(session(R"(,"status":"complete","payment_status":"unpaid",)"
                                 R"("payment_intent":{"status":"requires_payment_method"})")),
              Verdict::failed);
    EXPECT_EQ(verdict_of(session(R"(,"status":"open","payment_status":"unpaid",)"
                                 R"("payment_intent":{"status":"requires_payment_method"})")),
              Verdict::processing);
}

TEST(CheckoutSession, IsBelievedBeforeItsWebhook) {
    EXPECT_EQ(verdict_of(session(R"(,"status":"complete","payment_status":"paid")"), true),
              Verdict::paid);
    EXPECT_EQ(verdict_of(session(R"(,"status":"open","payment_status":"unpaid")"), true),
              Verdict::processing);
    EXPECT_EQ(verdict_of(session(R"(,"status":"complete","payment_status":"unpaid")"), true),
              Verdict::failed);
}

TEST(CheckoutSession, IsTheEntrysOwnInEverything) {
    const char* others[] = {
        R"({"id":"cs_2","client_reference_id":"p:order:1","amount_total":1300,"currency":"eur","payment_status":"paid"})",
        R"({"id":"cs_1","client_reference_id":"p:order:2","amount_total":1300,"currency":"eur","payment_status":"paid"})",
        R"({"id":"cs_1","amount_total":1300,"currency":"eur","payment_status":"paid"})",
        R"({"id":"cs_1","client_reference_id":"p:order:1","amount_total":1299,"currency":"eur","payment_status":"paid"})",
        R"({"id":"cs_1","client_reference_id":"p:order:1","currency":"eur","payment_status":"paid"})",
        R"({"id":"cs_1","client_reference_id":"p:order:1","amount_total":"1300","currency":"eur","payment_status":"paid"})",
        R"({"id":"cs_1","client_reference_id":"p:order:1","amount_total":1300,"payment_status":"paid"})",
        R"({"id":"cs_1","client_reference_id":"p:order:1","amount_total":1300,"currency":"usd","payment_status":"paid"})",
    };
    for (const char* json : others) EXPECT_EQ(verdict_of(json), Verdict::mismatch) << json;
    EXPECT_FALSE(read_session("[]"));
    EXPECT_FALSE(read_session(R"({"object":"checkout.session"})"));
    EXPECT_FALSE(read_session(R"({"id":"cs_1")"));
}

TEST(Home, IsWhereTheAppIs) {
    const Home home{"http://preview-shop.localhost:7878",
                    {"preview-shop.localhost", "shop.test"},
                    "11111111-1111-1111-1111-111111111111"};
    const auto fits = [&home](std::string_view url, std::string_view asked = "shop.test") {
        return is_page_of(home, asked, url);
    };
    EXPECT_TRUE(fits("http://preview-shop.localhost:7878"));
    EXPECT_TRUE(fits("https://shop.test/thanks?order=1#top"));
    EXPECT_TRUE(fits("https://SHOP.test:8443/"));
    EXPECT_TRUE(
        fits("http://localhost/preview/11111111-1111-1111-1111-111111111111/x", "localhost"));
    EXPECT_FALSE(
        fits("http://localhost/preview/11111111-1111-1111-1111-111111111112/x", "localhost"));
    EXPECT_FALSE(fits("http://localhost/", "localhost"));
    // The path on a host that others share is the preview's own, and stays below it.
    const std::string own = "/preview/" + home.project;
    EXPECT_TRUE(fits("http://localhost" + own + "?order=/1#/top", "localhost"));
    for (const std::string& path : {"?" + own, "#" + own, "/?" + own, "x?" + own, own + "/../shop",
                                    own + "/%2e%2E/shop", own + "/..", own + "x"})
        EXPECT_FALSE(fits("http://localhost" + path, "localhost")) << path;
    EXPECT_FALSE(fits("https://shop.test.evil.example/"));
    EXPECT_FALSE(fits("https://shop.test@evil.example/"));
    EXPECT_FALSE(fits("https://evil.example\\@shop.test/"));
    EXPECT_FALSE(fits("https://evil.example/shop.test"));
    EXPECT_FALSE(fits("http://preview-shop.localhost:78789.evil.example/"));
    EXPECT_FALSE(fits("javascript:alert(1)//shop.test"));
    EXPECT_FALSE(fits("https://shop.test/ x"));
    EXPECT_FALSE(fits(""));
}

}  // namespace
}  // namespace svc::pay
