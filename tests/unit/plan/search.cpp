// Words of rows: kept as rows are written, and taken in where a table had rows before it was
// searched.
#include "pipeline.hpp"
#include "unit/migrate/fixture.hpp"

namespace svc::migrate {
namespace {

class SearchTest : public MigrateTest {
  protected:
    // Notes that are searched by these fields: empty, by none.
    static plan::Plan notes(const std::string& search) {
        const auto checked = pipeline::check(
            R"({"app": {"name": "Notes"}, "personas": [{"id": "boss", "kind": "staff"}],
                "entities": [{"name": "note", "owner": "none",)" +
            (search.empty() ? "" : "\"search\": [" + search + "],") +
            R"("fields": [{"name": "title", "type": "string"}, {"name": "body", "type": "text"},
                          {"name": "rank", "type": "integer"}],
                "access": {"read": "*", "create": "*", "update": "*", "delete": "*"}}]})");
        EXPECT_TRUE(checked.plan);
        return *checked.plan;
    }
    void bring(const std::string& search, std::int64_t version) {
        const auto result = apply(notes(search), version);
        ASSERT_TRUE(result.ok) << described(result);
        changes_.clear();
        for (const auto& change : result.changes) {
            if (change.kind == ChangeKind::fill_words)
                changes_ += change.when == When::inside ? "in" : base::word(change.when);
        }
    }
    // Titles.
    std::string found(const std::string& words, const std::string& order = "n.title") {
        return query(
            "select coalesce(string_agg(n.title, ',' order by " + order +
            "), '') from svc.note_search('" + words +
            "', null, 25) with ordinality f (id, place) join public.note n on n.id = f.id");
    }
    // As the role of callers' statements.
    void run(const std::string& sql) {
        query("begin; set local role " + target_.data_role + "; " + sql + "; commit");
    }

    std::string changes_;
};

TEST_F(SearchTest, words_follow_what_is_written) {
    bring(R"("title^3", "body")", 1);
    run("insert into note (title, body) values ('one', 'green tea'), ('tea', 'two'), ('three', "
        "null)");
    EXPECT_EQ(found("tea", "f.place"), "tea,one");
    run("update note set body = 'tea' where title = 'three'");
    EXPECT_EQ(found("tea"), "one,tea,three");
    run("update note set rank = 5");
    run("update note set title = 'cup' where title = 'tea'");
    EXPECT_EQ(found("tea"), "one,three");
    run("delete from note where title = 'one'");
    EXPECT_EQ(found("tea"), "three");
    EXPECT_EQ(found("green"), "");
    EXPECT_EQ(query("select count(*) from svc.note_words"), "2");
    const std::string id = query("select id from note where title = 'three'");
    run("insert into note (id, title) values ('" + id +
        "', 'x') on conflict (id) do update set title = 'four'");
    EXPECT_EQ(found("four"), "four");
    EXPECT_EQ(query("select string_agg(k, ',' order by k) from (select distinct "
                    "json_object_keys(new) k from svc.change where new is not null) c"),
              "body,created_at,id,rank,title,updated_at");
    EXPECT_THROW(run("select * from svc.note_words"), pqxx::insufficient_privilege);
}

TEST_F(SearchTest, rows_of_before_are_taken_in_within_the_migration) {
    bring("", 1);
    query(
        "insert into note (title, body) select 'n' || n, 'word' || n % 10 from generate_series(1, "
        "5000) n");
    bring("\"body\"", 2);
    EXPECT_EQ(changes_, "in");
    EXPECT_EQ(query("select count(*) from svc.note_words"), "5000");
    EXPECT_EQ(query("select count(*) from svc.note_search('word7', null, 1000)"), "500");
    bring("\"body\"", 3);
    EXPECT_EQ(changes_, "") << "what is the same is not taken in again";
    bring(R"("title", "body")", 4);
    EXPECT_EQ(changes_, "in");
    EXPECT_EQ(found("n77"), "n77");
    bring("", 5);
    EXPECT_EQ(query("select to_regclass('svc.note_words') is null"), "t");
    run("insert into note (title) values ('after')");
}

TEST_F(SearchTest, those_of_large_tables_after_it_while_rows_are_written) {
    bring("", 1);
    query("insert into note (title, body) select 'n' || n, 'word' from generate_series(1, 4500) n");
    target_.limits.large_rows = 0;
    bring("\"body\"", 2);
    EXPECT_EQ(changes_, "after");
    EXPECT_EQ(pending(target_).front().kind, ObjectKind::words);
    run("insert into note (title, body) values ('new', 'word')");
    run("update note set body = 'cup' where title = 'n1'");
    run("delete from note where title = 'n2'");
    EXPECT_EQ(found("word"), "new") << "what was written since";
    bring("\"body\"", 3);
    EXPECT_EQ(changes_, "") << "it is deferred once";
    EXPECT_TRUE(run_deferred(target_).empty());
    EXPECT_EQ(query("select count(*) from svc.note_words"), "4500");
    EXPECT_EQ(found("cup"), "n1") << "what was written meanwhile stays";
    EXPECT_EQ(
        query("select count(*) from (select id from note except select id from svc.note_words) m"),
        "0");
    bring(R"("title", "body")", 4);
    EXPECT_EQ(changes_, "after");
    bring("", 5);
    EXPECT_TRUE(pending(target_).empty()) << "what leaves the contract is not taken in any more";
}

}  // namespace
}  // namespace svc::migrate
