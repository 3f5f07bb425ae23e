// Writes the bytes of a part while the next ones come: one piece is filled, another one is written
// and hashed on a thread of the disk.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "file/file_context.hpp"
#include "outgoing/background_work.hpp"

namespace svc::file {

class PartWriter {
  public:
    // `in` outlives it. The bytes of one add() should be no more than `most`.
    PartWriter(const FileContext& in, std::size_t most);

    void add(std::string_view bytes) { *filling_ += bytes; }
    // True if it is time to pass on what was added.
    bool is_full() const { return filling_->size() >= kAtOnce; }
    // Begins to write what was added to the part, once what was passed on before is written.
    // Returns an empty text, or the reason why that failed.
    Task<std::string> pass_on(std::shared_ptr<Part> part);
    // Waits until everything is written that was passed on. Nobody else may use the part before.
    Task<std::string> written();

  private:
    static constexpr std::size_t kAtOnce = std::size_t{64} * 1024;  // bytes

    const FileContext& in_;
    std::shared_ptr<std::string> filling_ = std::make_shared<std::string>();
    std::shared_ptr<std::string> writing_ = std::make_shared<std::string>();
    std::optional<outgoing::BackgroundWork<std::string>> under_way_;
};

}  // namespace svc::file
