#include "CHMAC.h"

#include <CNIOBoringSSL.h>
#include <CNIOBoringSSL_digest.h>
#include <CNIOBoringSSL_err.h>
#include <CNIOBoringSSL_hmac.h>

bool chmac_sha256(const uint8_t *key, size_t key_length, const uint8_t *message, size_t message_length,
                  uint8_t digest[CHMAC_SHA256]) {
    unsigned int length = 0;
    bool succeeds = HMAC(EVP_sha256(), key, key_length, message, message_length, digest, &length) != NULL;
    // BoringSSL keeps a queue of errors per thread; TLS on the same thread would report them as its own.
    if (!succeeds) {
        ERR_clear_error();
    }
    return succeeds && length == CHMAC_SHA256;
}
