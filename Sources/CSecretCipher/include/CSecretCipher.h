#ifndef FEEDBELL_CSECRETCIPHER_H
#define FEEDBELL_CSECRETCIPHER_H

// The cryptography of the Secret Service Specification ("Transfer of Secrets"), done by the BoringSSL that swift-nio-ssl brings:
// the agent holds that library already, and a second one would cost four megabytes.

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/// The length of the group's numbers: private keys, public keys.
#define CSECRETCIPHER_NUMBER 128
/// The length of an AES-128 key, of a block and of an initialization vector.
#define CSECRETCIPHER_BLOCK 16

/// Makes a pair of keys for one session, in the Second Oakley Group (RFC 2409 §6.2). Numbers are big-endian.
bool csecretcipher_generate(uint8_t private_key[_Nonnull CSECRETCIPHER_NUMBER],
                            uint8_t public_key[_Nonnull CSECRETCIPHER_NUMBER]);

/// The AES key that both sides can compute: the Diffie-Hellman secret in 128 bytes, through HKDF with SHA-256, no salt and no info.
/// `peer` may have zeros before the number. `has_leading_zero` says whether the 128 bytes begin with a zero.
/// Returns false if `peer` is no public key.
bool csecretcipher_derive(const uint8_t private_key[_Nonnull CSECRETCIPHER_NUMBER], const uint8_t *_Nonnull peer,
                          size_t peer_length, uint8_t key[_Nonnull CSECRETCIPHER_BLOCK],
                          bool *_Nonnull has_leading_zero);

/// AES-128 in CBC mode with PKCS #7 padding. `output` has room for a block more than `input`.
/// Returns the length of the output, or -1 if the input is too long or was not encrypted with this key.
ptrdiff_t csecretcipher_crypt(bool encrypts, const uint8_t key[_Nonnull CSECRETCIPHER_BLOCK],
                              const uint8_t vector[_Nonnull CSECRETCIPHER_BLOCK], const uint8_t *_Nonnull input,
                              size_t length, uint8_t *_Nonnull output);

#endif
