// Databases to files and back, with the programs of PostgreSQL.
#include "postgres/dump.hpp"

#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <pqxx/pqxx>

#include "postgres/conninfo.hpp"

namespace svc::devapi {
namespace {

namespace fs = std::filesystem;

class Dump : public ::testing::Test {
  protected:
    Dump() {
        fs::create_directories(folder_);
        for (const auto& name : {from_, to_}) {
            admin("drop database if exists " + name);
            admin("create database " + name);
        }
        run(from_, "create table t as select i, 'row ' || i as s from generate_series(1, 1000) i");
    }
    ~Dump() override {
        for (const auto& name : {from_, to_})
            admin("drop database if exists " + name + " with (force)");
        fs::remove_all(folder_);
    }
    static std::string server() {
        const char* url = std::getenv("SVC_TEST_DATABASE_URL");
        return url ? url : "";
    }
    static std::string url(const std::string& name) { return with_database(server(), name); }
    static void admin(const std::string& sql) {
        pqxx::connection connection(server());
        pqxx::nontransaction(connection).exec0(sql);
    }
    static pqxx::result run(const std::string& name, const std::string& sql) {
        pqxx::connection connection(url(name));
        return pqxx::nontransaction(connection).exec(sql);
    }

    const std::string stem_ = "dump_test_" + std::to_string(::getpid());
    const std::string from_ = stem_ + "_from", to_ = stem_ + "_to";
    const fs::path folder_ = fs::temp_directory_path() / stem_;
    const std::string file_ = (folder_ / "one.dump").string();
};

TEST_F(Dump, BringsEveryRowToAnotherDatabase) {
    dump_database(url(from_), file_);
    load_database(url(to_), file_);
    EXPECT_EQ(run(to_, "select count(*), min(s), max(i) from t")[0][0].as<int>(), 1000);
    struct stat info {};
    ASSERT_EQ(::stat(file_.c_str(), &info), 0);
    EXPECT_EQ(info.st_mode & 0777, 0600U);
    EXPECT_EQ(std::distance(fs::directory_iterator(folder_), {}), 1) << "nothing beside the file";
}

TEST_F(Dump, LeavesOutRowsWhereAsked) {
    DumpOptions options;
    options.without_rows = {"public.t"};
    dump_database(url(from_), file_, options);
    load_database(url(to_), file_);
    EXPECT_EQ(run(to_, "select count(*) from t")[0][0].as<int>(), 0);
}

TEST_F(Dump, LoadsWholeOrNotAtAll) {
    dump_database(url(from_), file_);
    run(to_, "create table t (other int)");
    EXPECT_THROW(load_database(url(to_), file_), DumpFailed);
    EXPECT_EQ(run(to_, "select * from t").columns(), 1);
}

TEST_F(Dump, SaysWhatIsWrongWithoutThePassword) {
    const std::string secret = with_setting(url(stem_ + "_none"), "password", "very-secret");
    try {
        dump_database(secret, file_);
        FAIL() << "there is no such database";
    } catch (const DumpFailed& error) {
        EXPECT_NE(std::string(error.what()).find("does not exist"), std::string::npos);
        EXPECT_EQ(std::string(error.what()).find("very-secret"), std::string::npos);
    }
    EXPECT_TRUE(fs::is_empty(folder_));
    EXPECT_THROW(load_database(url(to_), file_), DumpFailed);
}

TEST_F(Dump, EndsAtItsLimit) {
    pqxx::connection holder(url(from_));
    pqxx::work lock(holder);
    lock.exec0("lock table t in access exclusive mode");
    DumpOptions soon;
    soon.limit = std::chrono::seconds(1);
    EXPECT_THROW(dump_database(url(from_), file_, soon), DumpFailed);
    EXPECT_TRUE(fs::is_empty(folder_));
}

}  // namespace
}  // namespace svc::devapi
