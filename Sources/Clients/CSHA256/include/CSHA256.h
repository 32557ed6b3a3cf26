#ifndef FEEDBELL_CSHA256_H
#define FEEDBELL_CSHA256_H

// SHA-256 and HMAC with the BoringSSL of swift-nio-ssl, which every program with the client libraries already contains.

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/// The length in bytes of a SHA-256 digest.
#define CSHA256_LENGTH 32

/// SHA-256 (FIPS 180-4).
void csha256_digest(const uint8_t *_Nullable message, size_t length, uint8_t digest[_Nonnull CSHA256_LENGTH]);

/// HMAC-SHA256 (RFC 2104, FIPS 180-4). Returns false if memory is exhausted.
bool csha256_hmac(const uint8_t *_Nullable key, size_t key_length, const uint8_t *_Nullable message,
                  size_t message_length, uint8_t digest[_Nonnull CSHA256_LENGTH]);

#endif
