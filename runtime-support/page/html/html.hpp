// Writes markup. Literals in the source are markup; every other text is escaped, so that it can
// stand between tags and within the quotes of an attribute.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <utility>

namespace svc::page {

// Appends text with broken UTF-8 as U+FFFD, and without characters that no page may hold.
void append_escaped(std::string& out, std::string_view text);
// The same text, not escaped: for what goes on to others.
std::string clean_text(std::string_view text);
// Keeps at most so many characters, and writes an ellipsis for those that it leaves out.
std::string shortened(std::string_view text, std::size_t characters);

class Html {
  public:
    template <std::size_t size>
    Html& operator<<(const char (&markup)[size]) {
        out_.append(markup, size - 1);
        return *this;
    }
    Html& operator<<(std::string_view text) {
        append_escaped(out_, text);
        return *this;
    }
    Html& operator<<(const std::string& text) { return *this << std::string_view(text); }
    Html& operator<<(std::size_t number) {
        out_ += std::to_string(number);
        return *this;
    }
    Html& operator<<(const Html& made) {
        out_ += made.out_;
        return *this;
    }
    // Takes the buffer over if this one is empty, because the rows are most of a page.
    Html& operator<<(Html&& made) {
        if (out_.empty())
            out_ = std::move(made.out_);
        else
            out_ += made.out_;
        return *this;
    }
    // Makes room for so many bytes more.
    void expect(std::size_t bytes) { out_.reserve(out_.size() + bytes); }
    // Writes text that is markup already, from the generator or from this server.
    Html& markup(std::string_view made) {
        out_ += made;
        return *this;
    }
    // href="…", where that leads to http, https, mailto, tel or a path of the app; else nothing.
    Html& href(std::string_view address);
    // name="value", with a space before it.
    template <std::size_t size>
    Html& attribute(const char (&name)[size], std::string_view value) {
        return *this << " " << name << "=\"" << value << "\"";
    }

    bool empty() const { return out_.empty(); }
    const std::string& str() const { return out_; }
    std::string take() { return std::move(out_); }

  private:
    std::string out_;
};

}  // namespace svc::page
