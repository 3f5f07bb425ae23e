// libfido2, loaded when a passkey is first made or used.
#pragma once

#include <fido.h>
#include <fido/eddsa.h>
#include <fido/es256.h>
#include <fido/rs256.h>

namespace svc::auth::passkey {

struct Fido {
    decltype(&fido_init) init;
    decltype(&fido_cred_new) cred_new;
    decltype(&fido_cred_free) cred_free;
    decltype(&fido_cred_set_type) cred_set_type;
    decltype(&fido_cred_set_authdata_raw) cred_set_authdata_raw;
    decltype(&fido_cred_id_ptr) cred_id_ptr;
    decltype(&fido_cred_id_len) cred_id_len;
    decltype(&fido_cred_pubkey_ptr) cred_pubkey_ptr;
    decltype(&fido_cred_pubkey_len) cred_pubkey_len;
    decltype(&fido_cred_sigcount) cred_sigcount;
    decltype(&fido_assert_new) assert_new;
    decltype(&fido_assert_free) assert_free;
    decltype(&fido_assert_set_count) assert_set_count;
    decltype(&fido_assert_set_rp) assert_set_rp;
    decltype(&fido_assert_set_clientdata_hash) assert_set_clientdata_hash;
    decltype(&fido_assert_set_authdata_raw) assert_set_authdata_raw;
    decltype(&fido_assert_set_sig) assert_set_sig;
    decltype(&fido_assert_set_up) assert_set_up;
    decltype(&fido_assert_set_uv) assert_set_uv;
    decltype(&fido_assert_verify) assert_verify;
    decltype(&fido_assert_sigcount) assert_sigcount;
    decltype(&es256_pk_new) es256_new;
    decltype(&es256_pk_free) es256_free;
    decltype(&es256_pk_from_ptr) es256_from_ptr;
    decltype(&eddsa_pk_new) eddsa_new;
    decltype(&eddsa_pk_free) eddsa_free;
    decltype(&eddsa_pk_from_ptr) eddsa_from_ptr;
    decltype(&rs256_pk_new) rs256_new;
    decltype(&rs256_pk_free) rs256_free;
    decltype(&rs256_pk_from_ptr) rs256_from_ptr;

    // Ready for this thread. Throws std::runtime_error if it is not installed.
    static const Fido& library();
};

}  // namespace svc::auth::passkey
