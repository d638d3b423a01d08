/* Reads every file named, and the first of them, which asks for evil.example, to the letter. */
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

extern int tls_sni_proof_name(const unsigned char *input, size_t len, unsigned char name[253]);
extern size_t tls_sni_proof_fields(const unsigned char *input, size_t len, void *scanner);
extern ptrdiff_t tls_sni_proof_follow(const unsigned char *input, size_t len, unsigned limit);

/* Reached only if the parser panics; the library itself must not refer to it. */
void tls_sni_proof_panic(void) { abort(); }

int main(int argc, char **argv) {
    static unsigned char input[1 << 20], first[2 << 20];
    size_t first_len = 0;
    unsigned char name[253];
    for (int i = 1; i < argc; i++) {
        FILE *file = fopen(argv[i], "rb");
        if (file == NULL) {
            perror(argv[i]);
            return 1;
        }
        size_t len = fread(input, 1, sizeof input, file);
        fclose(file);
        for (size_t cut = 0; cut <= len; cut++) {
            tls_sni_proof_fields(input, cut, NULL);
        }
        int found = tls_sni_proof_name(input, len, name);
        if (i == 1 && (found != 12 || memcmp(name, "evil.example", 12) != 0)) {
            fprintf(stderr, "%s: %d\n", argv[i], found);
            return 1;
        }
        if (i == 1) {
            memcpy(first, input, len);
            first_len = len;
        }
        /* The first file's hello, then this file's: the first file itself may follow it. */
        memcpy(first + first_len, input, len);
        for (size_t cut = 0; cut <= len; cut++) {
            tls_sni_proof_follow(first, first_len + cut, 0);
        }
        ptrdiff_t followed = tls_sni_proof_follow(first, first_len + len, 1 << 16);
        if (followed == -2 || (i == 1 && followed != (ptrdiff_t)len)) {
            fprintf(stderr, "%s behind the first: %td\n", argv[i], followed);
            return 1;
        }
    }
    return 0;
}
