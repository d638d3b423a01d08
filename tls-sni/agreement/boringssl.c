/* What a BoringSSL server acts on, asked through a memory BIO. The callback for the server name runs once the hello is accepted and
   before a certificate is looked for. */
#include "lines.h"
#include <openssl/bio.h>
#include <openssl/crypto.h>
#include <openssl/ssl.h>

static SSL_CTX *context;
static int found;
static unsigned char *place;

static int served(SSL *ssl, int *alert, void *unused) {
    (void)alert;
    (void)unused;
    const char *name = SSL_get_servername(ssl, TLSEXT_NAMETYPE_host_name);
    found = name == NULL ? NO_NAME : (int)strlen(name);
    if (name != NULL) {
        memcpy(place, name, (size_t)found);
    }
    return SSL_TLSEXT_ERR_OK;
}

static int ask(const unsigned char *hello, size_t len, unsigned char name[1 << 16]) {
    SSL *ssl = SSL_new(context);
    BIO *in = BIO_new_mem_buf(hello, (int)len);
    SSL_set_bio(ssl, in, BIO_new(BIO_s_mem()));
    SSL_set_accept_state(ssl);
    found = REFUSED;
    place = name;
    SSL_do_handshake(ssl);
    SSL_free(ssl);
    return found;
}

int main(void) {
    context = SSL_CTX_new(TLS_method());
    SSL_CTX_set_min_proto_version(context, TLS1_VERSION);
    SSL_CTX_set_max_proto_version(context, TLS1_3_VERSION);
    SSL_CTX_set_tlsext_servername_callback(context, served);
    printf("%s (API %d)\n", OpenSSL_version(OPENSSL_VERSION), BORINGSSL_API_VERSION);
    return answer_lines();
}
