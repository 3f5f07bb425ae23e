// A request without a connection, for what answers requests.
#pragma once

#include <list>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "http/exchange.hpp"
#include "http/request/path.hpp"

namespace svc::test {

using Headers = std::vector<std::pair<std::string, std::string>>;

class FakeExchange : public http::Exchange {
  public:
    FakeExchange(std::string method, std::string path, Headers headers = {}, std::string body = {})
        : method_(std::move(method)), path_(std::move(path)), kept_(std::move(headers)) {
        head_.method = method_;
        head_.target = head_.path = path_;
        if (path_.find('%') != std::string::npos) {
            head_.decoded = std::make_shared<const std::string>(http::decode_path(path_));
            head_.path = *head_.decoded;
        }
        for (const auto& [name, value] : kept_) head_.headers.push_back({name, value});
        const std::string_view host = head_.header("host");
        head_.host = host.substr(0, host.find(':'));
        body_ = std::move(body);
        remote_ = "192.0.2.1";
    }
    FakeExchange(const FakeExchange&) = delete;
    FakeExchange& operator=(const FakeExchange&) = delete;

    Task<http::EventStream*> open_stream() override {
        throw std::logic_error("a fake exchange has no stream");
    }

    int status() const { return reply_.status; }
    const std::string& answer() const { return reply_.body; }
    bool answers(std::string_view part) const {
        return reply_.body.find(part) != std::string::npos;
    }
    bool sends(std::string_view line) const {
        return reply_.extra_headers.find(line) != std::string::npos;
    }
    // The text of a member of the answer, as it stands between quotes.
    std::string member(const std::string& name) const {
        const std::string start = "\"" + name + "\":\"";
        const auto at = reply_.body.find(start);
        if (at == std::string::npos) return {};
        const auto from = at + start.size();
        return reply_.body.substr(from, reply_.body.find('"', from) - from);
    }

  private:
    std::string method_, path_;
    Headers kept_;
};

}  // namespace svc::test
