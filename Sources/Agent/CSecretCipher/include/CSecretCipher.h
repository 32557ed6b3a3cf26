#ifndef FEEDBELL_CSECRETCIPHER_H
#define FEEDBELL_CSECRETCIPHER_H

// The cryptography of the Secret Service API ("Transfer of Secrets"), with the BoringSSL of swift-nio-ssl: the agent
// already contains that library, and a second one would add 4 MB.

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/// The length in bytes of private and public keys.
#define CSECRETCIPHER_NUMBER 128
/// The length in bytes of an AES-128 key, of a block and of an initialization vector.
#define CSECRETCIPHER_BLOCK 16

/// Generates a key pair for one session, in the Second Oakley Group (RFC 2409 §6.2). Keys are big-endian.
bool csecretcipher_generate(uint8_t private_key[_Nonnull CSECRETCIPHER_NUMBER],
                            uint8_t public_key[_Nonnull CSECRETCIPHER_NUMBER]);

/// Computes the AES key that both sides share: the Diffie-Hellman secret in 128 bytes, through HKDF with SHA-256,
/// without salt and info. `peer` may have leading zeros. `has_leading_zero` is set if the 128 bytes begin with a zero
/// byte. Returns false if `peer` is not a valid public key.
bool csecretcipher_derive(const uint8_t private_key[_Nonnull CSECRETCIPHER_NUMBER], const uint8_t *_Nonnull peer,
                          size_t peer_length, uint8_t key[_Nonnull CSECRETCIPHER_BLOCK],
                          bool *_Nonnull has_leading_zero);

/// AES-128 in CBC mode with PKCS #7 padding. `output` must have room for one block more than `input`. Returns the
/// length of the output, or -1 if the input is too long or was not encrypted with this key.
ptrdiff_t csecretcipher_crypt(bool encrypts, const uint8_t key[_Nonnull CSECRETCIPHER_BLOCK],
                              const uint8_t vector[_Nonnull CSECRETCIPHER_BLOCK], const uint8_t *_Nonnull input,
                              size_t length, uint8_t *_Nonnull output);

#endif
