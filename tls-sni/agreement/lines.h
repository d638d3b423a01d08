/* Reads hellos in hexadecimal, a line each, and writes what `ask` answers: a name in hexadecimal, "-" for none, "!" for a
   refusal. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/types.h>

enum { REFUSED = -1, NO_NAME = 0 };

/* Writes the name that the server acts on and returns its length, or one of the above. */
static int ask(const unsigned char *hello, size_t len, unsigned char name[1 << 16]);

static int answer_lines(void) {
    static unsigned char hello[1 << 22], name[1 << 16];
    char *line = NULL;
    size_t room = 0;
    ssize_t read;
    while ((read = getline(&line, &room, stdin)) > 0) {
        size_t len = 0;
        while (len < sizeof hello && 2 * len + 1 < (size_t)read) {
            char pair[3] = {line[2 * len], line[2 * len + 1], 0}, *end;
            hello[len++] = (unsigned char)strtoul(pair, &end, 16);
            if (*end != 0) {
                fprintf(stderr, "not hexadecimal: %s", line);
                return 1;
            }
        }
        int answer = ask(hello, len, name);
        if (answer == REFUSED) {
            puts("!");
        } else if (answer == NO_NAME) {
            puts("-");
        } else {
            for (int i = 0; i < answer; i++) {
                printf("%02x", name[i]);
            }
            putchar('\n');
        }
    }
    free(line);
    return 0;
}
