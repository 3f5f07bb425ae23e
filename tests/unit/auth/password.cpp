#include "auth/password/password.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/detached.hpp>
#include <string>
#include <vector>

namespace svc::auth {
namespace {

struct Asked {
    int fitted = 0, refused = 0, busy = 0;
};

Task<> ask(password::Passwords& passwords, std::string password, std::string hash, Asked& asked) {
    const auto fits = co_await passwords.fits({}, std::move(password), std::move(hash));
    if (!fits)
        ++asked.busy;
    else if (*fits)
        ++asked.fitted;
    else
        ++asked.refused;
}

Task<> make(password::Passwords& passwords, std::string password, std::string& hash) {
    auto made = co_await passwords.hash({}, std::move(password));
    if (made) hash = *made;
}

class PasswordTest : public testing::Test {
  protected:
    std::string hash_of(password::Passwords& passwords, const std::string& password) {
        std::string hash;
        asio::co_spawn(io_, make(passwords, password, hash), asio::detached);
        run();
        return hash;
    }

    Asked ask_all(password::Passwords& passwords, const std::string& password,
                  const std::string& hash, int times = 1) {
        Asked asked;
        for (int i = 0; i < times; ++i)
            asio::co_spawn(io_, ask(passwords, password, hash, asked), asio::detached);
        run();
        return asked;
    }

    void run() {
        io_.restart();
        io_.run();
    }

    asio::io_context io_;
};

TEST_F(PasswordTest, FitsItsOwnHashAlone) {
    password::Passwords passwords;
    const std::string hash = hash_of(passwords, "correct horse");
    EXPECT_EQ(hash.substr(0, 31), "$argon2id$v=19$m=19456,t=2,p=1$");
    EXPECT_EQ(ask_all(passwords, "correct horse", hash).fitted, 1);
    EXPECT_EQ(ask_all(passwords, "correct horsf", hash).refused, 1);
    EXPECT_NE(hash_of(passwords, "correct horse"), hash);
}

TEST_F(PasswordTest, FitsNoEmptyHash) {
    password::Passwords passwords;
    EXPECT_EQ(ask_all(passwords, "", "").refused, 1);
    EXPECT_EQ(ask_all(passwords, "anything", "").refused, 1);
}

// Otherwise the time of an answer would show which addresses have accounts.
TEST_F(PasswordTest, CostsAsMuchWhereNobodyIsMeant) {
    password::Passwords passwords(1);
    const std::string hash = hash_of(passwords, "correct horse");
    const auto time = [&](const std::string& asked) {
        const auto start = std::chrono::steady_clock::now();
        ask_all(passwords, "wrong", asked, 8);
        return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    };
    time(hash);
    const double known = time(hash), unknown = time("");
    EXPECT_LT(unknown / known, 2.5);
    EXPECT_GT(unknown / known, 0.4);
}

TEST_F(PasswordTest, RefusesWhenTooManyWait) {
    password::Passwords passwords(1, 3);
    const Asked asked = ask_all(passwords, "wrong", "", 10);
    EXPECT_EQ(asked.refused, 3);
    EXPECT_EQ(asked.busy, 7);
    EXPECT_EQ(ask_all(passwords, "wrong", "", 3).refused, 3);
}

// A client that signs in again and again, even with the right password, delays nobody else.
Task<> ask_for(password::Passwords& passwords, password::Requester requester, std::string name,
               std::vector<std::string>& ended) {
    const auto fits = co_await passwords.fits(requester, "wrong", "");
    ended.push_back(fits ? name : name + " refused");
}

TEST_F(PasswordTest, LetsNobodyWaitBehindAllThatAnotherAsksFor) {
    password::Passwords passwords(1);
    std::vector<std::string> ended;
    for (int i = 0; i < 20; ++i)
        asio::co_spawn(io_, ask_for(passwords, {1, 1}, "many", ended), asio::detached);
    asio::co_spawn(io_, ask_for(passwords, {2, 2}, "other", ended), asio::detached);
    run();
    ASSERT_EQ(ended.size(), 21U);
    const auto other = std::ranges::find(ended, "other");
    EXPECT_LE(other - ended.begin(), 2);
}

TEST_F(PasswordTest, RefusesWhoHasMostWaiting) {
    password::Passwords passwords(1, 8);
    std::vector<std::string> ended;
    for (int i = 0; i < 8; ++i)
        asio::co_spawn(io_, ask_for(passwords, {1, 1}, "many", ended), asio::detached);
    asio::co_spawn(io_, ask_for(passwords, {2, 2}, "other", ended), asio::detached);
    asio::co_spawn(io_, ask_for(passwords, {3, 3}, "third", ended), asio::detached);
    run();
    EXPECT_EQ(std::ranges::count(ended, "many"), 6);
    EXPECT_EQ(std::ranges::count(ended, "many refused"), 2);
    EXPECT_EQ(std::ranges::count(ended, "other"), 1);
    EXPECT_EQ(std::ranges::count(ended, "third"), 1);
}

}  // namespace
}  // namespace svc::auth
