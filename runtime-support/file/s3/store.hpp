// Files in an S3-compatible store: the object <prefix><part>. No other upload has this name, so two
// uploads that end at the same time under one id never mix their bytes.
#pragma once

#include <mutex>

#include "file/byte_store.hpp"
#include "file/disk/disk.hpp"
#include "file/s3/client.hpp"

namespace svc::file {

class S3Store final : public ByteStore {
  public:
    S3Store(S3Settings settings, std::string root, std::string prefix)
        : client_(std::move(settings)), root_(std::move(root)), prefix_(std::move(prefix)) {}
    ~S3Store() override { client_.stop(); }
    S3Store(const S3Store&) = delete;
    S3Store& operator=(const S3Store&) = delete;

    Task<std::string> take(std::shared_ptr<Part> part) override;
    Task<Opened> open(const Readers& by, const Wanted& file) override;
    Threads& threads(Threads& /*disk*/) override { return senders_; }
    void settle(const std::string& id, const std::string& part) override;
    void settle_late(const std::string& id, const std::string& part) override;
    void remove(const std::string& id, const std::string& part) override;
    void drop(const std::string& part) override;
    void each(const std::function<void(const Listed&)>& visit) override;
    void remove_all() override;

  private:
    struct SendJob;

    S3Client client_;
    const std::string root_, prefix_;
    Threads senders_;  // the last: they end before what they use
};

}  // namespace svc::file
