/* What an NSS server acts on, asked over loopback. The argument is a database with a certificate named "agreement".
   Its callback for the server name runs once the hello is accepted; without a name it is not called, and a ServerHello tells. */
#include "lines.h"
#include <arpa/inet.h>
#include <cert.h>
#include <nspr.h>
#include <nss.h>
#include <pk11pub.h>
#include <private/pprio.h>
#include <ssl.h>
#include <sslproto.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

static CERTCertificate *certificate;
static SECKEYPrivateKey *key;
static int found;
static unsigned char *place;

static PRInt32 served(PRFileDesc *fd, const SECItem *names, PRUint32 count, void *unused) {
    (void)fd;
    (void)unused;
    found = NO_NAME;
    if (count > 0) {
        found = (int)names[0].len;
        memcpy(place, names[0].data, names[0].len);
    }
    return 0;
}

/* NSS asks for the peer's address, which a pair of local sockets has not. */
static void connected(int ends[2]) {
    static int listening = -1;
    static struct sockaddr_in address;
    socklen_t size = sizeof address;
    int room = 1 << 22;
    if (listening < 0) {
        listening = socket(AF_INET, SOCK_STREAM, 0);
        address.sin_family = AF_INET;
        address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
        /* Taken over by what it accepts. */
        setsockopt(listening, SOL_SOCKET, SO_RCVBUF, &room, sizeof room);
        if (bind(listening, (struct sockaddr *)&address, size) != 0 || listen(listening, 8) != 0) {
            perror("listen");
            exit(1);
        }
        getsockname(listening, (struct sockaddr *)&address, &size);
    }
    ends[0] = socket(AF_INET, SOCK_STREAM, 0);
    setsockopt(ends[0], SOL_SOCKET, SO_SNDBUF, &room, sizeof room);
    if (connect(ends[0], (struct sockaddr *)&address, size) != 0 || (ends[1] = accept(listening, NULL, NULL)) < 0) {
        perror("connect");
        exit(1);
    }
    /* No port stays taken behind thousands of connections. */
    struct linger none = {1, 0};
    setsockopt(ends[0], SOL_SOCKET, SO_LINGER, &none, sizeof none);
}

static int ask(const unsigned char *hello, size_t len, unsigned char name[1 << 16]) {
    int ends[2];
    place = name;
    found = REFUSED;
    connected(ends);
    if (send(ends[0], hello, len, MSG_DONTWAIT) != (ssize_t)len) {
        perror("send");
        exit(1);
    }
    shutdown(ends[0], SHUT_WR);
    PRFileDesc *fd = SSL_ImportFD(NULL, PR_ImportTCPSocket(ends[1]));
    SSLVersionRange versions = {SSL_LIBRARY_VERSION_TLS_1_0, SSL_LIBRARY_VERSION_TLS_1_3};
    SSL_OptionSet(fd, SSL_SECURITY, PR_TRUE);
    SSL_OptionSet(fd, SSL_HANDSHAKE_AS_SERVER, PR_TRUE);
    SSL_OptionSet(fd, SSL_NO_CACHE, PR_TRUE);
    /* Off by default; somebody may have switched it on. */
    SSL_OptionSet(fd, SSL_ENABLE_V2_COMPATIBLE_HELLO, PR_TRUE);
    SSL_VersionRangeSet(fd, &versions);
    SSL_ConfigServerCert(fd, certificate, key, NULL, 0);
    SSL_SNISocketConfigHook(fd, served, NULL);
    SSL_ResetHandshake(fd, PR_TRUE);
    SSL_ForceHandshake(fd);
    /* What it has said is then whole. */
    shutdown(ends[1], SHUT_WR);
    if (found == REFUSED) {
        unsigned char first;
        if (recv(ends[0], &first, 1, 0) == 1 && first == 22) {
            found = NO_NAME;
        }
    }
    PR_Close(fd);
    close(ends[0]);
    return found;
}

int main(int argc, char **argv) {
    if (argc != 2 || NSS_Init(argv[1]) != SECSuccess) {
        fprintf(stderr, "usage: nss DATABASE\n");
        return 1;
    }
    certificate = PK11_FindCertFromNickname("agreement", NULL);
    key = certificate == NULL ? NULL : PK11_FindKeyByAnyCert(certificate, NULL);
    if (key == NULL) {
        fprintf(stderr, "no certificate: %d\n", PR_GetError());
        return 1;
    }
    NSS_SetDomesticPolicy();
    printf("NSS %s\n", NSS_GetVersion());
    return answer_lines();
}
