// The pages of a contract that uses every block, resolved; and the routes that lead to them.
#include <gtest/gtest.h>

#include "model/page/routes.hpp"
#include "unit/model/whole.hpp"

namespace {

using namespace svc::model;
using svc::tests::whole;
using Names = std::vector<std::string>;

TEST(ModelPages, ReadsHeadsAndMenus) {
    ASSERT_EQ(whole().pages.size(), 5U);
    EXPECT_EQ(whole().pages[0].nav->label, "Start");
    EXPECT_EQ(whole().pages[0].nav->order, 1U);
    EXPECT_EQ(whole().pages[1].params, Names{"id"});
    EXPECT_FALSE(whole().pages[1].nav);
    EXPECT_EQ(whole().pages[2].nav->label, "Purchases");
    EXPECT_FALSE(whole().pages[4].nav);
    EXPECT_EQ(whole().pages[4].component, 0U);
}

TEST(ModelPages, ReadsBlocks) {
    const auto& home = whole().pages[0].body;
    EXPECT_EQ(home[1].to.at(0).kind, Principal::Kind::guest);
    EXPECT_EQ(home[1].methods, (Names{"password", "oidc:work"}));
    EXPECT_EQ(home[0].to.at(0).kind, Principal::Kind::any);
    EXPECT_EQ(home[3].kind, BlockKind::grid);
    EXPECT_EQ(whole().entities[0].fields[home[3].image->field].name, "picture");
    EXPECT_EQ(home[3].filter.at(0).value->json, "[1,100000]");
    EXPECT_EQ(home[3].link.at(1).column.builtin, "id");
    EXPECT_EQ(whole().pages[1].body[3].props.at(0).second.text.at(0).text, "id");

    const auto& purchases = whole().pages[2].body;
    EXPECT_TRUE(purchases[0].compare);
    EXPECT_EQ(purchases[1].by->field, whole().entities[1].lifecycle->field);
    EXPECT_EQ(purchases[2].sort->column.builtin, "created_at");
    EXPECT_TRUE(purchases[2].sort->descending);
    EXPECT_EQ(purchases[2].filter.at(1).op, FilterOp::this_week);
    EXPECT_EQ(purchases[4].group_by->builtin, "created_at");
    EXPECT_EQ(purchases[5].query, "reports/top");
    EXPECT_EQ(purchases[6].query_columns, (Names{"title", "pieces"}));

    const auto& purchase = whole().pages[3].body;
    EXPECT_EQ(purchase[0].id.at(0).kind, PageTextPart::Kind::route);
    EXPECT_EQ(purchase[2].set.at(0).second.text.at(0).text, "id");
    EXPECT_EQ(purchase[3].transitions, std::vector<std::size_t>{0});
    EXPECT_EQ(whole().entities[*purchase[4].entity].name, "purchase");
}

TEST(ModelPages, ReadsRoutesAndWhatLeadsToThem) {
    EXPECT_EQ(route_pieces("/"), Names{});
    EXPECT_EQ(route_pieces("/orders/:id/lines"), (Names{"orders", ":id", "lines"}));
    for (const char* bad : {"", "orders", "//", "/orders/", "/Orders", "/a b", "/:", "/:Id", "/-a",
                            "/a/../b", "/a?b", "/\xC3\xA9"}) {
        EXPECT_FALSE(route_pieces(bad)) << bad;
    }
    EXPECT_TRUE(leads_to("/orders/{id}", "/orders/:key"));
    EXPECT_TRUE(leads_to("/orders/new?of={id}", "/orders/:id"));
    EXPECT_TRUE(leads_to("/", "/"));
    EXPECT_FALSE(leads_to("/orders/", "/orders/:id"));
    EXPECT_FALSE(leads_to("/orders/{id}/lines", "/orders/:id"));
    EXPECT_FALSE(leads_to("/{id}", "/orders"));
}

}  // namespace
