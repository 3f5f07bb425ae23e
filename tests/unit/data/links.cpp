// links=: the rows of a list of linked rows, their order, and their number.
#include "unit/data/select.hpp"

namespace svc::data {
namespace {

class DataLinks : public DataSelect {
  protected:
    void SetUp() override {
        DataSelect::SetUp();
        if (IsSkipped()) return;
        make(1, "title", "'root'");
        database->sql(
            "insert into thing (id, above_id, title, whole, moment, kind)"
            " select ('00000000-0000-7000-8000-' || lpad(n::text, 12, '0'))::uuid, '" +
            id(1) +
            "', 'n' || n % 3, 20 - n, timestamptz '2026-03-28 22:30Z' + n * interval '12 hours',"
            " case when n = 5 then 'hidden' end from generate_series(2, 9) n");
        below(20, 9);
        below(21, 9);
    }
    std::string with(const std::string& select, const std::string& links, int number = 1,
                     const std::string& more = "") {
        const int status = ask(kClerk, "select=" + select + "&links=" + links + more,
                               number == 0 ? "" : id(number));
        return status == 200 ? rows() : std::to_string(status) + body;
    }
    // {"below":[…]} of the ids that end in these numbers.
    static std::string shown(const std::string& name, std::initializer_list<int> numbers) {
        std::string out;
        for (const int number : numbers) {
            out += out.empty() ? R"({"id":")" : R"(,{"id":")";
            out += id(number) + "\"}";
        }
        return "{\"" + name + "\":[" + out + "]}";
    }
};

TEST_F(DataLinks, SortsAndBoundsEachListOfALink) {
    EXPECT_EQ(with("below(id)", R"({"below":{"sort":{"field":"whole"},"limit":3}})"),
              shown("below", {9, 8, 7}));
    EXPECT_TRUE(says(R"("linksTruncated":true)")) << body;
    EXPECT_EQ(
        with(
            "below(id)",
            R"({"below":{"sort":[{"field":"title","dir":"desc"},{"field":"id","dir":"desc"}],"limit":100}})"),
        shown("below", {8, 2, 7, 4, 9, 6, 3}));
    EXPECT_FALSE(says("linksTruncated")) << body;
    // By the moments themselves, whatever else is selected under that name.
    EXPECT_EQ(
        with("below(moment)", R"({"below":{"sort":{"field":"moment","dir":"desc"},"limit":1}})"),
        R"({"below":[{"moment":"2026-04-02T10:30:00Z"}]})");
    EXPECT_EQ(with("below(id)", R"({"below":{"limit":1000}})"),
              shown("below", {2, 3, 4, 6, 7, 8, 9}));
    // Links of links, and lists.
    EXPECT_EQ(
        with(
            "below(below(id))",
            R"({"below":{"sort":{"field":"whole"},"limit":1},"below.below":{"sort":{"field":"id","dir":"desc"},"limit":1}})"),
        R"({"below":[{"below":[{"id":")" + id(21) + R"("}]}]})");
    EXPECT_EQ(with("below(id)", R"({"below":{"limit":1}})", 0,
                   "&limit=1&where="
                   R"({"title":"root"})"),
              shown("below", {2}));
}

TEST_F(DataLinks, FiltersEachListOfALink) {
    EXPECT_EQ(with("below(id)", R"({"below":{"where":{"title":"n1"}}})"), shown("below", {4, 7}));
    EXPECT_EQ(
        with(
            "below(id)",
            R"({"below":{"where":{"title":"n1"},"filter":[{"field":"whole","op":"lt","value":15}]}})"),
        shown("below", {7}));
    EXPECT_EQ(
        with(
            "below(id)",
            R"({"below":{"filter":[{"or":[{"field":"whole","op":"gte","value":17},{"field":"title","op":"eq","value":"n0"}]}]}})"),
        shown("below", {2, 3, 6, 9}));
    // Days of the zone that was asked for.
    const std::string day =
        R"({"below":{"filter":[{"field":"moment","op":"eq","value":"2026-03-30"}]}})";
    EXPECT_EQ(with("below(id)", day, 1, "&tz=Europe/Paris"), shown("below", {2, 3}));
    EXPECT_EQ(with("below(id)", day, 1, "&tz=UTC"), shown("below", {3, 4}));
    // Beside parameters of the list itself.
    EXPECT_EQ(with("below(id)", R"({"below":{"where":{"title":"n2"}}})", 0,
                   R"(&filter=[{"field":"title","op":"eq","value":"root"}]&limit=7&count=exact)"),
              shown("below", {2, 8}));
    EXPECT_TRUE(says(R"("count":1)")) << body;
}

TEST_F(DataLinks, UnderNamesOfTheirOwn) {
    EXPECT_EQ(with("ones:below(id),twos:below(id)",
                   R"({"ones":{"where":{"title":"n1"}},"twos":{"where":{"title":"n2"}}})"),
              R"({"ones":[{"id":")" + id(4) + R"("},{"id":")" + id(7) + R"("}],"twos":[{"id":")" +
                  id(2) + R"("},{"id":")" + id(8) + R"("}]})");
    EXPECT_EQ(with("parent:above(title)", "{}", 2), R"({"parent":{"title":"root"}})");
    EXPECT_TRUE(says(R"("fields":[{"name":"parent","type":"114"}])")) << body;
    EXPECT_EQ(ask(kClerk, "select=title:above(id),title"), 400);
    EXPECT_TRUE(says("select names title twice.")) << body;
    EXPECT_EQ(ask(kClerk, "select=" + std::string(49, 'a') + ":above(id)"), 400) << body;
}

// Hidden rows do not count for the limit, and the caller cannot name unreadable columns.
TEST_F(DataLinks, EachHopIsUnderItsPolicy) {
    EXPECT_EQ(with("below(id)", R"({"below":{"filter":[{"field":"id","op":"gte","value":")" +
                                    id(5) + R"("}],"limit":2}})"),
              shown("below", {6, 7}));
    for (const char* options : {R"({"where":{"secret":null}})", R"({"sort":{"field":"secret"}})",
                                R"({"filter":[{"field":"secret","op":"is_null"}]})",
                                R"({"where":{"above.title":"root"}})", R"({"where":{"nope":1}})"}) {
        EXPECT_EQ(
            ask(kClerk, "select=below(id)&links={\"below\":" + std::string(options) + '}', id(1)),
            400)
            << options;
        EXPECT_TRUE(says("42703")) << options << body;
    }
}

TEST_F(DataLinks, RefuseWhatIsWrong) {
    const auto refused = [this](const std::string& select, const std::string& links) {
        EXPECT_EQ(ask(kClerk, select + "links=" + links, id(1)), 400) << links;
        EXPECT_TRUE(says("PARAMS_INVALID")) << links << body;
    };
    refused("", "{}");
    for (const char* links :
         {"[]", "1", "{", R"({"below":1})", R"({"above":{"limit":1}})", R"({"title":{}})",
          R"({"":{}})", R"({"below.below":{}})", R"({"below.":{}})", R"({"below":{"limit":0}})",
          R"({"below":{"limit":1.5}})", R"({"below":{"limit":"1"}})", R"({"below":{"offset":1}})",
          R"({"below":{"sort":{"field":1}}})", R"({"below":{"where":[]}})",
          R"({"below":{"filter":{}}})"}) {
        refused("select=below(id),above(id),title&", links);
    }
}

}  // namespace
}  // namespace svc::data
