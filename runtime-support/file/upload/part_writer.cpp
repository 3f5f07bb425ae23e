#include "file/upload/part_writer.hpp"

#include <system_error>
#include <utility>

namespace svc::file {
namespace {

// Lets the part go before it says that it is done: whoever is left then removes a refused one.
struct WriteJob {
    std::shared_ptr<Part> part;
    std::shared_ptr<std::string> bytes;
    std::string operator()() {
        const std::shared_ptr<Part> to = std::move(part);
        try {
            to->append(*bytes);
            bytes->clear();
            return {};
        } catch (const std::system_error& error) {
            return error.what();
        }
    }
};

}  // namespace

PartWriter::PartWriter(const FileContext& in, std::size_t most) : in_(in) {
    filling_->reserve(kAtOnce + most);
    writing_->reserve(kAtOnce + most);
}

Task<std::string> PartWriter::pass_on(std::shared_ptr<Part> part) {
    std::string why = co_await written();
    if (!why.empty() || filling_->empty()) co_return why;
    std::swap(filling_, writing_);
    WriteJob writing{std::move(part), writing_};
    under_way_.emplace(in_.io, in_.shared.threads.pool().get_executor(), std::move(writing));
    co_return why;
}

Task<std::string> PartWriter::written() {
    if (!under_way_) co_return std::string();
    std::string why = co_await under_way_->wait();
    under_way_.reset();
    co_return why;
}

}  // namespace svc::file
