#include "http/workers.hpp"

#include <boost/asio.hpp>

namespace svc::devapi {
namespace {

template <class Resume>
struct Job {
    const std::function<void()>* work;
    Resume resume;

    void operator()() {
        (*work)();
        const auto executor = asio::get_associated_executor(resume);
        asio::post(executor, std::move(resume));
    }
};

struct Start {
    asio::thread_pool* pool;
    const std::function<void()>* work;

    template <class Resume>
    void operator()(Resume&& resume) const {
        asio::post(*pool, Job<std::decay_t<Resume>>{work, std::forward<Resume>(resume)});
    }
};

}  // namespace

Task<> Workers::run(const std::function<void()>& work) {
    const Start start{&pool_, &work};
    co_await asio::async_initiate<const asio::use_awaitable_t<>&, void()>(start,
                                                                          asio::use_awaitable);
}

}  // namespace svc::devapi
