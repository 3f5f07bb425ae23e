// Loads libcurl when this process sends its first request. libcurl loads about forty libraries. A
// process that sends no request saves their start time and memory.
#pragma once

#include <curl/curl.h>

#include <functional>
#include <string>

namespace svc::outgoing {

struct Curl {
    decltype(&curl_easy_init) easy_init;
    decltype(&curl_easy_setopt) easy_setopt;
    decltype(&curl_easy_perform) easy_perform;
    decltype(&curl_easy_getinfo) easy_getinfo;
    decltype(&curl_easy_strerror) easy_strerror;
    decltype(&curl_easy_cleanup) easy_cleanup;
    decltype(&curl_easy_pause) easy_pause;
    decltype(&curl_slist_append) slist_append;
    decltype(&curl_slist_free_all) slist_free_all;
    decltype(&curl_multi_init) multi_init;
    decltype(&curl_multi_add_handle) multi_add_handle;
    decltype(&curl_multi_perform) multi_perform;
    decltype(&curl_multi_poll) multi_poll;
    decltype(&curl_multi_info_read) multi_info_read;
    decltype(&curl_multi_remove_handle) multi_remove_handle;
    decltype(&curl_multi_cleanup) multi_cleanup;
    decltype(&curl_multi_wakeup) multi_wakeup;

    // Throws std::runtime_error if it is not installed. From any thread.
    static const Curl& library();
};

// Ended with the object.
class Handle {
  public:
    Handle();  // throws as Curl::library, or std::bad_alloc
    ~Handle();
    Handle(const Handle&) = delete;
    Handle& operator=(const Handle&) = delete;

    template <class Value>
    void set(CURLoption option, Value value) {
        curl_.easy_setopt(handle_, option, value);
    }
    // A line of CURLOPT_HTTPHEADER or CURLOPT_MAIL_RCPT; its list lives as long as this.
    void add(const char* line);
    curl_slist* lines() const { return lines_; }

    CURL* get() { return handle_; }
    CURLcode perform() { return curl_.easy_perform(handle_); }
    // As perform(); `tick` is called at least every `milliseconds` of waiting.
    CURLcode perform(const std::function<void()>& tick, int milliseconds);
    // The code of the answer: an HTTP status, or an SMTP reply.
    long answer_code() const;
    long sent_bytes() const;                                     // of requests so far
    void go_on() { curl_.easy_pause(handle_, CURLPAUSE_CONT); }  // with what was paused
    std::string content_type() const;
    const char* words(CURLcode code) const { return curl_.easy_strerror(code); }

  private:
    const Curl& curl_;
    CURL* handle_;
    curl_slist* lines_ = nullptr;
};

}  // namespace svc::outgoing
