/* Preloaded into a client: writes down every name that it looks up and every address that it connects
   to, one a line, in the file that ASKED names, and lets nothing leave the machine. */
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <netdb.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

static void asked(const char *kind, const char *what) {
    const char *file = getenv("ASKED");
    char line[2048];
    if (!file || !what) return;
    int len = snprintf(line, sizeof line, "%s %s\n", kind, what);
    int fd = open(file, O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0600);
    if (fd < 0) return;
    if (len > (int)sizeof line - 1) len = sizeof line - 1;
    if (write(fd, line, len) < 0) { /* Then nothing was asked, which the caller sees. */ }
    close(fd);
}

static int is_address(const char *name) {
    unsigned char bytes[16];
    return inet_pton(AF_INET, name, bytes) == 1 || inet_pton(AF_INET6, name, bytes) == 1;
}

/* The C library refuses a service that it does not know before it looks the name up. */
static int is_service(const char *service) {
    if (!service || !*service) return 1;
    char *end;
    strtoul(service, &end, 10);
    return !*end || getservbyname(service, NULL) != NULL;
}

int getaddrinfo(const char *name, const char *service, const struct addrinfo *hints, struct addrinfo **result) {
    static int (*real)(const char *, const char *, const struct addrinfo *, struct addrinfo **);
    if (!real) real = dlsym(RTLD_NEXT, "getaddrinfo");
    if (!name || is_address(name) || (hints && hints->ai_flags & AI_NUMERICHOST))
        return real(name, service, hints, result);
    if (!is_service(service)) return EAI_SERVICE;
    asked("name", name);
    return EAI_NONAME;
}

/* wget2. */
int getaddrinfo_a(int mode, struct gaicb *requests[], int count, struct sigevent *event) {
    (void)mode;
    (void)event;
    for (int i = 0; i < count; i++)
        if (requests[i])
            requests[i]->__return = getaddrinfo(requests[i]->ar_name, requests[i]->ar_service,
                                                requests[i]->ar_request, &requests[i]->ar_result);
    return 0;
}

struct hostent *gethostbyname2(const char *name, int family) {
    static struct hostent *(*real)(const char *, int);
    if (!real) real = dlsym(RTLD_NEXT, "gethostbyname2");
    if (is_address(name)) return real(name, family);
    asked("name", name);
    h_errno = HOST_NOT_FOUND;
    return NULL;
}

struct hostent *gethostbyname(const char *name) { return gethostbyname2(name, AF_INET); }

int gethostbyname2_r(const char *name, int family, struct hostent *ret, char *buf, size_t len,
                     struct hostent **result, int *error) {
    static int (*real)(const char *, int, struct hostent *, char *, size_t, struct hostent **, int *);
    if (!real) real = dlsym(RTLD_NEXT, "gethostbyname2_r");
    if (is_address(name)) return real(name, family, ret, buf, len, result, error);
    asked("name", name);
    *result = NULL;
    *error = HOST_NOT_FOUND;
    return 0;
}

int gethostbyname_r(const char *name, struct hostent *ret, char *buf, size_t len, struct hostent **result,
                    int *error) {
    return gethostbyname2_r(name, AF_INET, ret, buf, len, result, error);
}

int connect(int fd, const struct sockaddr *to, socklen_t len) {
    static int (*real)(int, const struct sockaddr *, socklen_t);
    char text[INET6_ADDRSTRLEN] = "";
    int type = 0;
    socklen_t size = sizeof type;
    if (!real) real = dlsym(RTLD_NEXT, "connect");
    if (to->sa_family == AF_UNIX) return real(fd, to, len);
    /* Connecting a datagram socket only asks the kernel for a route. */
    if (getsockopt(fd, SOL_SOCKET, SO_TYPE, &type, &size) == 0 && type == SOCK_STREAM) {
        if (to->sa_family == AF_INET)
            inet_ntop(AF_INET, &((const struct sockaddr_in *)to)->sin_addr, text, sizeof text);
        else if (to->sa_family == AF_INET6)
            inet_ntop(AF_INET6, &((const struct sockaddr_in6 *)to)->sin6_addr, text, sizeof text);
        if (*text) asked("address", text);
    }
    errno = ECONNREFUSED;
    return -1;
}
