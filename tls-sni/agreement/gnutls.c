/* What a GnuTLS server acts on, asked through a pull function. Its hook runs once the hello is accepted and before a certificate is
   looked for. */
#include "lines.h"
#include <errno.h>
#include <gnutls/gnutls.h>

static const unsigned char *rest;
static size_t left;
static int found;
static unsigned char *place;
static gnutls_certificate_credentials_t credentials;
static gnutls_priority_t priority;

static ssize_t pull(gnutls_transport_ptr_t unused, void *data, size_t size) {
    (void)unused;
    size = size < left ? size : left;
    memcpy(data, rest, size);
    rest += size;
    left -= size;
    return (ssize_t)size;
}

static ssize_t push(gnutls_transport_ptr_t unused, const void *data, size_t size) {
    (void)unused;
    (void)data;
    return (ssize_t)size;
}

static int ready(gnutls_transport_ptr_t unused, unsigned int ms) {
    (void)unused;
    (void)ms;
    return 1;
}

static int served(gnutls_session_t session) {
    size_t room = (1 << 16) - 1;
    unsigned int type;
    int error = gnutls_server_name_get(session, place, &room, &type, 0);
    if (error == GNUTLS_E_REQUESTED_DATA_NOT_AVAILABLE) {
        found = NO_NAME;
    } else if (error == GNUTLS_E_SUCCESS) {
        found = (int)strlen((char *)place);
    } else {
        /* A name that it holds but hands to no application. */
        found = REFUSED;
    }
    return GNUTLS_E_SUCCESS;
}

static int ask(const unsigned char *hello, size_t len, unsigned char name[1 << 16]) {
    gnutls_session_t session;
    rest = hello;
    left = len;
    place = name;
    found = REFUSED;
    gnutls_init(&session, GNUTLS_SERVER);
    gnutls_priority_set(session, priority);
    gnutls_credentials_set(session, GNUTLS_CRD_CERTIFICATE, credentials);
    gnutls_transport_set_pull_function(session, pull);
    gnutls_transport_set_pull_timeout_function(session, ready);
    gnutls_transport_set_push_function(session, push);
    gnutls_handshake_set_timeout(session, 0);
    gnutls_handshake_set_post_client_hello_function(session, served);
    /* It may return for a warning and be called again. */
    for (int tries = 0; tries < 64; tries++) {
        int error = gnutls_handshake(session);
        if (error == GNUTLS_E_SUCCESS || gnutls_error_is_fatal(error)) {
            break;
        }
    }
    gnutls_deinit(session);
    return found;
}

int main(void) {
    gnutls_certificate_allocate_credentials(&credentials);
    gnutls_priority_init(&priority, "NORMAL:+VERS-TLS1.0:+VERS-TLS1.1:+VERS-TLS1.2:+VERS-TLS1.3", NULL);
    printf("GnuTLS %s\n", gnutls_check_version(NULL));
    return answer_lines();
}
