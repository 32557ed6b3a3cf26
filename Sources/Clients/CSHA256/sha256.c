#include "CSHA256.h"

#include <CNIOBoringSSL.h>
#include <CNIOBoringSSL_digest.h>
#include <CNIOBoringSSL_err.h>
#include <CNIOBoringSSL_hmac.h>
#include <CNIOBoringSSL_sha.h>

void csha256_digest(const uint8_t *message, size_t length, uint8_t digest[CSHA256_LENGTH]) {
    SHA256(message, length, digest);
}

bool csha256_hmac(const uint8_t *key, size_t key_length, const uint8_t *message, size_t message_length,
                  uint8_t digest[CSHA256_LENGTH]) {
    unsigned int length = 0;
    bool succeeds = HMAC(EVP_sha256(), key, key_length, message, message_length, digest, &length) != NULL;
    // BoringSSL keeps a queue of errors per thread; TLS on the same thread would report them as its own.
    if (!succeeds) {
        ERR_clear_error();
    }
    return succeeds && length == CSHA256_LENGTH;
}
