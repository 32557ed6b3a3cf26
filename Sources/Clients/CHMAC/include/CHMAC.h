#ifndef FEEDBELL_CHMAC_H
#define FEEDBELL_CHMAC_H

// HMAC with the BoringSSL of swift-nio-ssl, which every program with the client libraries already contains.

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/// The length in bytes of a SHA-256 digest.
#define CHMAC_SHA256 32

/// HMAC-SHA256 (RFC 2104, FIPS 180-4). Returns false if memory is exhausted.
bool chmac_sha256(const uint8_t *_Nullable key, size_t key_length, const uint8_t *_Nullable message,
                  size_t message_length, uint8_t digest[_Nonnull CHMAC_SHA256]);

#endif
