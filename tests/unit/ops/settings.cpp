#include "ops/settings.hpp"

#include <gtest/gtest.h>

#include <cstdlib>
#include <stdexcept>
#include <string>
#include <vector>

namespace svc::ops {
namespace {

class SettingsTest : public testing::Test {
  protected:
    void SetUp() override {
        set("SVC_DATA_URL", "postgresql:///data");
        set("DATABASE_URL", "postgresql:///system");
    }
    void TearDown() override {
        for (const std::string& name : names_) unsetenv(name.c_str());
    }
    void set(const std::string& name, const std::string& value) {
        names_.push_back(name);
        setenv(name.c_str(), value.c_str(), 1);
    }
    Settings read(std::vector<std::string> words) {
        words.insert(words.begin(), "app");
        std::vector<char*> argv;
        for (std::string& word : words) argv.push_back(word.data());
        return Settings::read(static_cast<int>(argv.size()), argv.data());
    }
    std::string complaint(std::vector<std::string> words) {
        try {
            read(std::move(words));
        } catch (const std::invalid_argument& error) {
            return error.what();
        }
        return "";
    }

  private:
    std::vector<std::string> names_;
};

TEST_F(SettingsTest, DefaultsAndBothSpellings) {
    Settings settings = read({"--listen", "127.0.0.1:1"});
    EXPECT_EQ(settings.listen, "127.0.0.1:1");
    EXPECT_EQ(settings.env, Env::dev);
    EXPECT_EQ(settings.rate_browser, 600u);
    EXPECT_EQ(read({"--control=/run/a"}).control, "/run/a");
}

TEST_F(SettingsTest, ReadsListsAndNumbers) {
    set("SVC_HOSTS", " Shop.Test, b.test,,");
    set("SVC_PLATFORM_HOSTS", "SVC.test");
    set("SVC_TRUSTED_PROXIES", "127.0.0.1,10.0.0.0/8");
    set("SVC_RATE_BROWSER", "0");
    Settings settings = read({"--listen=127.0.0.1:1"});
    EXPECT_EQ(settings.hosts, (std::vector<std::string>{"shop.test", "b.test"}));
    EXPECT_EQ(settings.platform_hosts, (std::vector<std::string>{"svc.test"}));
    EXPECT_EQ(settings.trusted_proxies.size(), 2u);
    EXPECT_EQ(settings.rate_browser, 0u);
}

TEST_F(SettingsTest, WorksInTheBackgroundAndCallsOthersUnlessToldNot) {
    EXPECT_TRUE(read({"--listen=127.0.0.1:1"}).background);
    for (const auto& [word, works] : {std::pair("on", true), std::pair("off", false)}) {
        set("SVC_BACKGROUND", word);
        EXPECT_EQ(read({"--listen=127.0.0.1:1"}).background, works) << word;
    }
    EXPECT_TRUE(read({"--listen=127.0.0.1:1"}).outside);
    set("SVC_OUTSIDE", "off");
    EXPECT_FALSE(read({"--listen=127.0.0.1:1"}).outside);
    set("SVC_BACKGROUND", "false");
    EXPECT_EQ(complaint({"--listen=a"}), "SVC_BACKGROUND: takes on or off, not \"false\"");
}

TEST_F(SettingsTest, NamesWhatIsWrong) {
    EXPECT_TRUE(complaint({}).starts_with("--listen, --control: "));
    EXPECT_TRUE(complaint({"--listen=a", "--control=b"}).starts_with("--listen, --control: "));
    EXPECT_TRUE(complaint({"--listen"}).starts_with("--listen: "));
    EXPECT_TRUE(complaint({"--verbose"}).starts_with("--verbose: "));
    set("SVC_IO_THREADS", "two");
    EXPECT_TRUE(complaint({"--listen=a"}).starts_with("SVC_IO_THREADS: "));
    set("SVC_IO_THREADS", "1");
    set("SVC_ENV", "test");
    EXPECT_TRUE(complaint({"--listen=a"}).starts_with("SVC_ENV: "));
    set("SVC_ENV", "prod");
    set("SVC_TRUSTED_PROXIES", "proxy.test");
    EXPECT_TRUE(complaint({"--listen=a"}).starts_with("SVC_TRUSTED_PROXIES: "));
    set("SVC_DATA_URL", "");
    EXPECT_TRUE(complaint({"--listen=a"}).starts_with("SVC_DATA_URL: "));
}

}  // namespace
}  // namespace svc::ops
