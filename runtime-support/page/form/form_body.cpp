#include "page/form/form_body.hpp"

#include "base/crypto.hpp"
#include "base/hex.hpp"
#include "base/percent.hpp"
#include "file/upload/multipart.hpp"
#include "page/value/file.hpp"

namespace svc::page {
namespace {

using file::Multipart;
using http::BodyPart;
using Event = Multipart::Event;

constexpr std::size_t kMostParts = 1000;  // as many members as any form
constexpr std::uint64_t kMostFiles = 8;   // times the largest file: so much is read and dropped
constexpr std::uint64_t kMostOfGuest = 256 * 1024;  // bytes of files that are read and dropped
constexpr std::uint64_t kMostRest = 4096;           // bytes after the last part

class Reader {
  public:
    Reader(Visit& visit, const std::string& boundary, const WantsFile& wanted)
        : visit_(visit),
          wanted_(wanted),
          most_(most_of_form(visit.app())),
          parser_(boundary, kMostParts) {}

    Task<FormBody> read() {
        for (;;) {
            Event event = co_await next();
            if (event == Event::begin) event = co_await take_part();
            if (event == Event::whole) co_return co_await read_end();
            if (event == Event::malformed) co_return FormBody::malformed;
            if (event == Event::too_large)
                co_return no_account_ ? FormBody::no_account : FormBody::too_large;
        }
    }

  private:
    enum class Step { head, content, tail, done };

    // The next event that says something.
    Task<Event> next() {
        for (;;) {
            while (!bytes_.empty()) {
                const Event event = parser_.next(bytes_, data_);
                if (event != Event::more) co_return event;
            }
            const BodyPart came = co_await visit_.exchange.next_body();
            if (came.state != BodyPart::State::more) co_return Event::malformed;
            size_ += came.bytes.size();
            if (size_ > most_) co_return Event::too_large;
            bytes_ = came.bytes;
        }
    }

    // Up to the part's end. An input for files in which none was chosen is an empty text.
    Task<Event> take_part() {
        const std::string name = clean_text(parser_.name());
        text_ += name.size() + parser_.file_name().size();
        if (text_ > kFormText) co_return Event::too_large;
        if (parser_.file_name().empty()) co_return co_await take_text(name);
        visit_.form.set(name, clean_text(parser_.file_name()));
        const bool twice = visit_.file(name) != nullptr;
        if (twice || !wanted_(name)) co_return co_await drop();
        co_return co_await take_file(name);
    }

    Task<Event> take_text(const std::string& name) {
        std::string value;
        for (;;) {
            const Event event = co_await next();
            if (event == Event::data) {
                value += data_;
                text_ += data_.size();
                if (text_ > kFormText) co_return Event::too_large;
                continue;
            }
            if (event == Event::end) visit_.form.set(name, clean_text(value));
            co_return event;
        }
    }

    // A guest's files are refused whatever they are.
    Task<Event> drop() {
        for (Event event = Event::data;;) {
            event = co_await next();
            if (event != Event::data) co_return event;
            dropped_ += data_.size();
            if (visit_.signed_in() || dropped_ <= kMostOfGuest) continue;
            no_account_ = true;
            co_return Event::too_large;
        }
    }

    Task<Event> take_file(const std::string& name) {
        const std::string boundary = base::hex(base::random_bytes(16));
        edge_ = "--" + boundary + "\r\nContent-Disposition: form-data; name=\"file\"; " +
                "filename*=UTF-8''" + base::percent_encoded(parser_.file_name()) +
                "\r\nContent-Type: " + parser_.type() + "\r\n\r\n";
        tail_ = "\r\n--" + boundary + "--\r\n";
        step_ = Step::head;
        last_ = Event::data;
        Pieces pieces = [this] { return piece(); };
        const Answer answer = co_await visit_.api.upload(boundary, std::move(pieces));
        SentFile sent{name};
        if (answer.ok())
            sent.id = answer.body.text_of("fileId");
        else
            sent.problem = upload_problem(visit_, answer);
        visit_.files.push_back(std::move(sent));
        // After a file is refused, its rest still arrives, and then the rest of the form.
        if (last_ == Event::data) last_ = co_await drop();
        co_return last_;
    }

    // The body for the direct upload: the same part, alone.
    Task<BodyPart> piece() {
        if (step_ == Step::head) {
            step_ = Step::content;
            co_return BodyPart{BodyPart::State::more, edge_};
        }
        if (step_ == Step::content) {
            last_ = co_await next();
            if (last_ == Event::data) co_return BodyPart{BodyPart::State::more, data_};
            step_ = last_ == Event::end ? Step::tail : Step::done;
        }
        if (step_ == Step::tail) {
            step_ = Step::done;
            co_return BodyPart{BodyPart::State::more, tail_};
        }
        const bool whole = last_ == Event::end;
        co_return BodyPart{whole ? BodyPart::State::end : BodyPart::State::malformed};
    }

    // Reads the rest of the body, so that the connection can be used again.
    Task<FormBody> read_end() {
        for (std::uint64_t rest = 0; rest <= kMostRest;) {
            const BodyPart came = co_await visit_.exchange.next_body();
            if (came.state != BodyPart::State::more) break;
            rest += came.bytes.size();
        }
        co_return FormBody::good;
    }

    Visit& visit_;
    const WantsFile& wanted_;
    const std::uint64_t most_;
    Multipart parser_;
    std::string_view bytes_, data_;
    std::uint64_t size_ = 0, dropped_ = 0;
    bool no_account_ = false;
    std::size_t text_ = 0;
    // The frame around the file that is passed on.
    std::string edge_, tail_;
    Step step_ = Step::done;
    Event last_ = Event::end;
};

}  // namespace

bool is_multipart(const http::Head& head) {
    return head.method == "POST" && file::boundary_of(head.header("content-type")).has_value();
}

std::uint64_t most_of_form(const App& app) { return kFormText + kMostFiles * app.files.max_size; }

Task<FormBody> read_form_body(Visit& visit, WantsFile wanted) {
    const auto boundary = file::boundary_of(visit.exchange.head().header("content-type"));
    if (!boundary) co_return FormBody::malformed;
    Reader reader(visit, *boundary, wanted);
    co_return co_await reader.read();
}

}  // namespace svc::page
