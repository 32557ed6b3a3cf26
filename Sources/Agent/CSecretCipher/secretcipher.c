#include "CSecretCipher.h"

#include <limits.h>

#include <CNIOBoringSSL.h>
#include <CNIOBoringSSL_cipher.h>
#include <CNIOBoringSSL_dh.h>
#include <CNIOBoringSSL_digest.h>
#include <CNIOBoringSSL_err.h>
#include <CNIOBoringSSL_hkdf.h>
#include <CNIOBoringSSL_mem.h>

// RFC 2409 §6.2
static const uint8_t prime[CSECRETCIPHER_NUMBER] = {
    0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xC9, 0x0F, 0xDA, 0xA2, 0x21, 0x68, 0xC2, 0x34, 0xC4, 0xC6, 0x62,
    0x8B, 0x80, 0xDC, 0x1C, 0xD1, 0x29, 0x02, 0x4E, 0x08, 0x8A, 0x67, 0xCC, 0x74, 0x02, 0x0B, 0xBE, 0xA6, 0x3B, 0x13,
    0x9B, 0x22, 0x51, 0x4A, 0x08, 0x79, 0x8E, 0x34, 0x04, 0xDD, 0xEF, 0x95, 0x19, 0xB3, 0xCD, 0x3A, 0x43, 0x1B, 0x30,
    0x2B, 0x0A, 0x6D, 0xF2, 0x5F, 0x14, 0x37, 0x4F, 0xE1, 0x35, 0x6D, 0x6D, 0x51, 0xC2, 0x45, 0xE4, 0x85, 0xB5, 0x76,
    0x62, 0x5E, 0x7E, 0xC6, 0xF4, 0x4C, 0x42, 0xE9, 0xA6, 0x37, 0xED, 0x6B, 0x0B, 0xFF, 0x5C, 0xB6, 0xF4, 0x06, 0xB7,
    0xED, 0xEE, 0x38, 0x6B, 0xFB, 0x5A, 0x89, 0x9F, 0xA5, 0xAE, 0x9F, 0x24, 0x11, 0x7C, 0x4B, 0x1F, 0xE6, 0x49, 0x28,
    0x66, 0x51, 0xEC, 0xE6, 0x53, 0x81, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF,
};

// Creates the group, with a private key if `private_key` is not NULL. The caller frees it.
static DH *group(const uint8_t *private_key) {
    DH *dh = DH_new();
    BIGNUM *p = BN_bin2bn(prime, sizeof prime, NULL);
    BIGNUM *g = BN_new();
    BIGNUM *own = private_key == NULL ? NULL : BN_bin2bn(private_key, CSECRETCIPHER_NUMBER, NULL);
    bool succeeds = dh != NULL && p != NULL && g != NULL && BN_set_word(g, 2);
    if (succeeds && DH_set0_pqg(dh, p, NULL, g)) {
        p = NULL;
        g = NULL;
        if (private_key == NULL || (own != NULL && DH_set0_key(dh, NULL, own))) {
            return dh;
        }
    }
    BN_free(p);
    BN_free(g);
    BN_clear_free(own);
    DH_free(dh);
    return NULL;
}

// BoringSSL keeps a queue of errors per thread; TLS on the same thread would report them as its own.
static void clear_errors(bool succeeds) {
    if (!succeeds) {
        ERR_clear_error();
    }
}

bool csecretcipher_generate(uint8_t private_key[CSECRETCIPHER_NUMBER], uint8_t public_key[CSECRETCIPHER_NUMBER]) {
    DH *dh = group(NULL);
    bool succeeds = dh != NULL && DH_generate_key(dh) &&
                    BN_bn2bin_padded(private_key, CSECRETCIPHER_NUMBER, DH_get0_priv_key(dh)) &&
                    BN_bn2bin_padded(public_key, CSECRETCIPHER_NUMBER, DH_get0_pub_key(dh));
    DH_free(dh);
    return succeeds;
}

bool csecretcipher_derive(const uint8_t private_key[CSECRETCIPHER_NUMBER], const uint8_t *peer, size_t peer_length,
                          uint8_t key[CSECRETCIPHER_BLOCK], bool *has_leading_zero) {
    // The key may have leading zeros: KWallet sends 129 bytes if the highest bit of the 128 bytes is set.
    while (peer_length > 0 && *peer == 0) {
        peer++;
        peer_length--;
    }
    if (peer_length > CSECRETCIPHER_NUMBER) {
        return false;
    }
    uint8_t secret[CSECRETCIPHER_NUMBER];
    DH *dh = group(private_key);
    BIGNUM *other = BN_bin2bn(peer, peer_length, NULL);
    // Rejects 0, 1, the prime minus 1 and larger numbers.
    bool succeeds = dh != NULL && other != NULL &&
                    DH_compute_key_padded(secret, other, dh) == CSECRETCIPHER_NUMBER &&
                    HKDF(key, CSECRETCIPHER_BLOCK, EVP_sha256(), secret, sizeof secret, NULL, 0, NULL, 0);
    *has_leading_zero = succeeds && secret[0] == 0;
    OPENSSL_cleanse(secret, sizeof secret);
    BN_free(other);
    DH_free(dh);
    clear_errors(succeeds);
    return succeeds;
}

ptrdiff_t csecretcipher_crypt(bool encrypts, const uint8_t key[CSECRETCIPHER_BLOCK],
                              const uint8_t vector[CSECRETCIPHER_BLOCK], const uint8_t *input, size_t length,
                              uint8_t *output) {
    if (length > INT_MAX - CSECRETCIPHER_BLOCK) {
        return -1;
    }
    int written = 0;
    int rest = 0;
    EVP_CIPHER_CTX *context = EVP_CIPHER_CTX_new();
    bool succeeds = context != NULL &&
                    EVP_CipherInit_ex(context, EVP_aes_128_cbc(), NULL, key, vector, encrypts) &&
                    EVP_CipherUpdate(context, output, &written, input, (int)length) &&
                    EVP_CipherFinal_ex(context, output + written, &rest);
    EVP_CIPHER_CTX_free(context);
    clear_errors(succeeds);
    return succeeds ? written + rest : -1;
}
