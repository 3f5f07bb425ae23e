#include "auth/passkey/fido.hpp"

#include "outgoing/shared_library.hpp"

namespace svc::auth::passkey {
namespace {

Fido load_fido() {
    const outgoing::SharedLibrary library("libfido2.so.1");
    Fido fido{};
    library.find("fido_init", fido.init);
    library.find("fido_cred_new", fido.cred_new);
    library.find("fido_cred_free", fido.cred_free);
    library.find("fido_cred_set_type", fido.cred_set_type);
    library.find("fido_cred_set_authdata_raw", fido.cred_set_authdata_raw);
    library.find("fido_cred_id_ptr", fido.cred_id_ptr);
    library.find("fido_cred_id_len", fido.cred_id_len);
    library.find("fido_cred_pubkey_ptr", fido.cred_pubkey_ptr);
    library.find("fido_cred_pubkey_len", fido.cred_pubkey_len);
    library.find("fido_cred_sigcount", fido.cred_sigcount);
    library.find("fido_assert_new", fido.assert_new);
    library.find("fido_assert_free", fido.assert_free);
    library.find("fido_assert_set_count", fido.assert_set_count);
    library.find("fido_assert_set_rp", fido.assert_set_rp);
    library.find("fido_assert_set_clientdata_hash", fido.assert_set_clientdata_hash);
    library.find("fido_assert_set_authdata_raw", fido.assert_set_authdata_raw);
    library.find("fido_assert_set_sig", fido.assert_set_sig);
    library.find("fido_assert_set_up", fido.assert_set_up);
    library.find("fido_assert_set_uv", fido.assert_set_uv);
    library.find("fido_assert_verify", fido.assert_verify);
    library.find("fido_assert_sigcount", fido.assert_sigcount);
    library.find("es256_pk_new", fido.es256_new);
    library.find("es256_pk_free", fido.es256_free);
    library.find("es256_pk_from_ptr", fido.es256_from_ptr);
    library.find("eddsa_pk_new", fido.eddsa_new);
    library.find("eddsa_pk_free", fido.eddsa_free);
    library.find("eddsa_pk_from_ptr", fido.eddsa_from_ptr);
    library.find("rs256_pk_new", fido.rs256_new);
    library.find("rs256_pk_free", fido.rs256_free);
    library.find("rs256_pk_from_ptr", fido.rs256_from_ptr);
    return fido;
}

}  // namespace

const Fido& Fido::library() {
    static const Fido fido = load_fido();
    thread_local const bool ready = (fido.init(0), true);  // each thread that calls it says so
    static_cast<void>(ready);
    return fido;
}

}  // namespace svc::auth::passkey
