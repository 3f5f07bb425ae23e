// POST /files/direct: a multipart body, written to the disk while it comes.
#include <system_error>

#include "base/formats.hpp"
#include "base/json_text.hpp"
#include "base/number.hpp"
#include "base/uuid.hpp"
#include "file/file_context.hpp"
#include "file/kind/mime.hpp"
#include "file/kind/name.hpp"
#include "file/messages.hpp"
#include "file/state.hpp"
#include "file/upload/multipart.hpp"
#include "file/upload/part_writer.hpp"
#include "file/upload/store.hpp"
#include "file/upload_progress.hpp"
#include "identity/command.hpp"
#include "log/log.hpp"

namespace svc::file {
namespace {

using http::BodyPart;
using identity::refusal;
using route::Handled;
using Event = Multipart::Event;

constexpr std::string_view kSigned =
    "select mime, size::text, state from svc.signed_file($1::uuid)";
// Nobody hears of this row before the file is stored, so it does not wait for the disk: what stores
// the file comes later in the log of PostgreSQL, and does.
constexpr std::string_view kMade =
    "select svc.sign_file($1::text, 0, $2::bigint, $3::bigint)::text, '0', 'signed'"
    " from set_config('synchronous_commit', 'off', true)";
constexpr std::string_view kMadeOfForm =
    "select svc.sign_form_file($1::text, $2::bigint, $3::bigint)::text, '0', 'signed'"
    " from set_config('synchronous_commit', 'off', true)";
constexpr std::string_view kDrop = "select svc.drop_upload($1::uuid, $2::uuid)";
constexpr std::uint64_t kMostOther = 64 * 1024;  // bytes of fields beside the file
constexpr std::size_t kOnePiece = 64 * 1024;     // of the body, at most

// The upload that the query names, or a new one.
struct Upload {
    std::string id, mime;    // mime: as declared; empty: as the part says
    std::string fallback;    // where the part says none
    std::uint64_t most = 0;  // bytes
    bool is_signed = false;
    bool of_form = false;  // it goes after a day where no row holds it
};

Task<std::optional<Handled>> begin_signed(const FileContext& in, http::Exchange& exchange,
                                          const Caller& caller, std::string_view sig, Upload& out) {
    const identity::Refusal forged =
        refusal(Code::signature_invalid,
                "The signature of this upload is not yours, wrong, or older than a day.");
    if (!base::is_uuid(out.id))
        co_return refuse(exchange, Code::invalid_id, "\"fileId\" must be a uuid.");
    if (!in.tickets.holds(out.id, caller.user->id, sig)) co_return refuse(exchange, forged);
    TextColumns row(3);
    const db::Param params[] = {out.id};
    const auto ended = co_await run_as(in, exchange, caller,
                                       identity::command("svc_signed_file", kSigned, params, &row));
    if (ended) co_return ended;
    if (row.values.empty()) co_return refuse(exchange, forged);
    if (state_of(row.values[2]) != FileState::signed_)
        co_return refuse(exchange, Code::conflict, "This file was uploaded already.");
    out.mime = row.values[0];
    out.most = base::number_of(row.values[1], out.most);
    co_return std::nullopt;
}

Task<std::optional<Handled>> begin_new(const FileContext& in, http::Exchange& exchange,
                                       const Caller& caller, Upload& out) {
    TextColumns row(3);
    const std::string user_quota = std::to_string(in.app.files.user_quota);
    const std::string quota = std::to_string(in.app.files.project_quota);
    const db::Param params[] = {"application/octet-stream", user_quota, quota};
    const auto ended = co_await run_as(
        in, exchange, caller,
        out.of_form ? identity::command("svc_new_form_file", kMadeOfForm, params, &row)
                    : identity::command("svc_new_file", kMade, params, &row));
    if (ended) co_return ended;
    if (row.values.empty() || row.values[0].empty()) co_return refuse(exchange, no_room());
    out.id = row.values[0];
    out.most = in.app.files.max_size;
    co_return std::nullopt;
}

// A refused upload leaves no row. A signature stays valid, so its row stays.
Task<> drop_row(const FileContext& in, const Caller& caller, const Upload& upload) {
    if (upload.is_signed) co_return;
    const db::Param params[] = {upload.id, caller.user->id};
    const db::Command command = identity::command("svc_drop_upload", kDrop, params);
    co_await in.system.run({&command, 1});
}

// A body as it comes. Holds two pieces of the file, and what the parser holds.
class Body {
  public:
    Body(const FileContext& in, http::Exchange& exchange, Upload& upload, UploadProgress& progress,
         const std::string& boundary)
        : in_(in),
          exchange_(exchange),
          upload_(upload),
          progress_(progress),
          parser_(boundary),
          writer_(in, kOnePiece) {}

    // The file is in part(). Nothing where it went well.
    Task<std::optional<identity::Refusal>> take();
    const std::shared_ptr<Part>& part() const { return part_; }
    const std::string& file_name() const { return file_name_; }

  private:
    using Failure = std::optional<identity::Refusal>;

    Failure take_event(Event event, std::string_view data);
    Failure begin();
    Failure add(std::string_view data);
    Task<Failure> read();
    Task<Failure> write();

    const FileContext& in_;
    http::Exchange& exchange_;
    Upload& upload_;
    UploadProgress& progress_;
    Multipart parser_;
    std::shared_ptr<Part> part_;
    PartWriter writer_;
    std::string file_name_;
    std::uint64_t size_ = 0, others_ = 0;
    bool in_file_ = false, whole_ = false;
};

identity::Refusal malformed() {
    return refusal(Code::invalid_multipart,
                   "The body is not multipart/form-data, or it ends too early. Send the field "
                   "\"file\".");
}

identity::Refusal too_large(std::uint64_t most, bool is_signed) {
    return refusal(Code::too_large, is_signed ? "The file has more bytes than were signed."
                                              : "A file may have at most " + in_words(most) + ".");
}

identity::Refusal no_disk(std::string_view why) {
    log::write(log::Level::error, "file_not_stored", {{"what", why}});
    return refusal(Code::storage_error, kFileNotStored);
}

Body::Failure Body::begin() {
    in_file_ = parser_.name() == "file";
    if (!in_file_) return std::nullopt;
    if (part_) return refusal(Code::invalid_multipart, "The body has two fields named \"file\".");
    file_name_ = clean_name(parser_.file_name());
    if (!upload_.is_signed) {
        upload_.mime = normal_type(parser_.type());
        if (upload_.mime.empty() || upload_.mime == "application/octet-stream")
            upload_.mime = upload_.fallback;
        // Refused before its bytes are read, where its own name says enough.
        if (!upload_.mime.empty() && !is_allowed(in_.app.files, upload_.mime))
            return refusal(Code::mime_not_allowed, kTypeNotAllowed);
    }
    try {
        part_ = std::make_shared<Part>(in_.root, upload_.id);
    } catch (const std::system_error& error) {
        return no_disk(error.what());
    }
    return std::nullopt;
}

Body::Failure Body::add(std::string_view data) {
    if (!in_file_) {
        others_ += data.size();
        if (others_ <= kMostOther) return std::nullopt;
        return refusal(Code::payload_too_large, "The fields beside the file are too large.");
    }
    size_ += data.size();
    Counts::add(in_.shared.counts.received_bytes, data.size());
    if (size_ > upload_.most) return too_large(upload_.most, upload_.is_signed);
    writer_.add(data);
    return std::nullopt;
}

Body::Failure Body::take_event(Event event, std::string_view data) {
    switch (event) {
        case Event::begin:
            return begin();
        case Event::data:
            return add(data);
        case Event::end:
            in_file_ = false;
            return std::nullopt;
        case Event::whole:
            whole_ = true;
            return std::nullopt;
        case Event::malformed:
            return malformed();
        case Event::too_large:
            return refusal(Code::payload_too_large,
                           "The multipart body has too many parts, or too long headers.");
        case Event::more:
            break;
    }
    return std::nullopt;
}

Task<Body::Failure> Body::write() {
    const std::string why = co_await writer_.pass_on(part_);
    if (!why.empty()) co_return no_disk(why);
    co_return co_await progress_.count(size_);
}

// What is being written is finished even if the body is refused: nothing is left of it when the
// answer goes out.
Task<Body::Failure> Body::take() {
    auto failure = co_await read();
    const std::string why = co_await writer_.written();
    if (!failure && !why.empty()) failure = no_disk(why);
    co_return failure;
}

Task<Body::Failure> Body::read() {
    for (;;) {
        const BodyPart piece = co_await exchange_.next_body();
        if (piece.state == BodyPart::State::malformed) co_return malformed();
        if (piece.state == BodyPart::State::end) break;
        // Bytes after the last part are ignored, but counted against a limit.
        others_ += whole_ ? piece.bytes.size() : 0;
        if (others_ > kMostOther)
            co_return refusal(Code::payload_too_large, "Too many bytes follow the last part.");
        for (std::string_view bytes = piece.bytes; !bytes.empty();) {
            std::string_view data;
            const Event event = parser_.next(bytes, data);
            if (auto failure = take_event(event, data)) co_return failure;
        }
        if (!writer_.is_full()) continue;
        if (auto failure = co_await write()) co_return failure;
    }
    if (!whole_) co_return malformed();
    if (!part_) co_return refusal(Code::missing_file, "The body has no field named \"file\".");
    if (size_ == 0) co_return refusal(Code::invalid_size, "The file is empty.");
    co_return co_await write();
}

// `key`: of what comes.
Task<identity::Result<Stored>> receive(const FileContext& in, http::Exchange& exchange,
                                       const Caller& caller, Upload& wanted,
                                       UploadProgress& progress, const std::string& key,
                                       const std::string& boundary) {
    Body body(in, exchange, wanted, progress, boundary);
    const auto failure = co_await body.take();
    if (failure) {
        Counts::add(in.shared.counts.refused);
        co_return *failure;
    }
    const Stored file{wanted.id, caller.user->id, body.file_name(), wanted.mime, 0, key};
    auto stored = co_await store(in, file, body.part());
    co_return stored;
}

std::uint64_t announced(const http::Head& head) {
    return base::number_of<std::uint64_t>(head.header("content-length"));
}

void answer(http::Exchange& exchange, const Stored& stored) {
    std::string& body = exchange.reply().body;
    body = R"({"ok":true,"fileId":")" + stored.id + R"(","size":)" + std::to_string(stored.size) +
           R"(,"mime":)";
    base::append_json(body, stored.mime);
    body += R"(,"originalName":)";
    base::append_json(body, stored.name);
    body += '}';
}

}  // namespace

Task<Handled> upload(const FileContext& in, route::Request& request, const Caller& caller) {
    http::Exchange& exchange = request.exchange;
    const std::string_view query = exchange.head().query;
    const http::QueryParam sig = http::query_param(query, "sig");
    Upload wanted;
    wanted.id = http::query_param(query, "fileId").value;
    wanted.fallback = normal_type(http::query_param(query, "mime").value);
    wanted.is_signed = sig.found || !wanted.id.empty();
    wanted.of_form = http::query_param(query, "form").value == "1";
    const auto allowed = check_uploader(in, caller, wanted.is_signed);
    if (!allowed) co_return refuse(exchange, allowed.error());
    const auto boundary = boundary_of(exchange.head().header("content-type"));
    if (!boundary)
        co_return refuse(exchange, Code::invalid_multipart,
                         "The content type must be multipart/form-data with a boundary.");
    std::optional<Handled> ended;
    if (wanted.is_signed)
        ended = co_await begin_signed(in, exchange, caller, sig.value, wanted);
    else
        ended = co_await begin_new(in, exchange, caller, wanted);
    if (ended) co_return *ended;
    constexpr std::uint64_t kAround = 2 * kMostOther;
    if (announced(exchange.head()) > wanted.most + kAround) {
        co_await drop_row(in, caller, wanted);
        co_return refuse(exchange, too_large(wanted.most, wanted.is_signed));
    }
    Counts::add(in.shared.counts.begun);
    const ActiveUpload uploading(in.shared.counts);
    const std::string key = base::new_uuid();
    UploadProgress progress(in, {key, wanted.id, caller.user->id, true});
    const auto stored = co_await receive(in, exchange, caller, wanted, progress, key, *boundary);
    co_await progress.end();
    if (!stored) {
        co_await drop_row(in, caller, wanted);
        co_return refuse(exchange, stored.error());
    }
    answer(exchange, *stored);
    co_return Handled::answered;
}

}  // namespace svc::file
