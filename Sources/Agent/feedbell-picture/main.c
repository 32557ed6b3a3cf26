// feedbell-picture SIDE: reads a picture in PNG, JPEG, GIF or WebP from standard input, and writes the red, green, blue
// and opacity of SIDE × SIDE pixels to standard output, with the picture in the middle, scaled down if it is larger.
//
// feedbell-picture --check: tries what a picture must not make it do, and reports what the system refused.
//
// Before it reads the first byte it gives up everything else (confinement.h). So it is in C, without a runtime library
// that needs more, and uses the decoders themselves: gdk-pixbuf since 2.44 starts a program for each picture.

#include "confinement.h"
#include "formats.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sysexits.h>
#include <unistd.h>

#define LARGEST_SIDE 256
#define LARGEST_INPUT (1 << 20)

static bool put(const uint8_t *bytes, size_t count) {
    while (count > 0) {
        ssize_t written = write(STDOUT_FILENO, bytes, count);
        if (written < 0 && errno == EINTR) continue;
        if (written <= 0) return false;
        bytes += written;
        count -= written;
    }
    return true;
}

static bool report(const char *what, bool is_refused) {
    char line[64];
    int count = snprintf(line, sizeof line, "%s %s\n", what, is_refused ? "refused" : "possible");
    put((uint8_t *)line, count);
    return is_refused;
}

static int check(void) {
    bool are_refused = report("open", open("/", O_RDONLY | O_CLOEXEC) < 0);
    are_refused &= report("connect", socket(AF_UNIX, SOCK_STREAM, 0) < 0);
    pid_t child = fork();
    if (child == 0) _exit(0);
    are_refused &= report("start", child < 0);
    const char *mechanisms = has_landlock ? "by seccomp, Landlock\n" : "by seccomp\n";
    return put((const uint8_t *)mechanisms, strlen(mechanisms)) && are_refused ? 0 : EX_OSERR;
}

/// The average colour of the pixels in a part of the picture, by their opacity.
static void average(const struct picture *picture, uint32_t left, uint32_t right, uint32_t top, uint32_t bottom,
                    uint8_t *result) {
    uint64_t sums[3] = {0, 0, 0}, opacity = 0;
    for (uint32_t y = top; y < bottom; y++) {
        const uint8_t *pixel = picture->pixels + 4 * ((size_t)y * picture->width + left);
        for (uint32_t x = left; x < right; x++, pixel += 4) {
            for (int index = 0; index < 3; index++) sums[index] += pixel[index] * pixel[3];
            opacity += pixel[3];
        }
    }
    for (int index = 0; index < 3; index++) result[index] = opacity ? sums[index] / opacity : 0;
    result[3] = opacity / ((right - left) * (bottom - top));
}

/// Scales the picture down, turns it upright and puts it into the middle of the square.
static void draw(const struct picture *picture, uint32_t side, uint8_t *square) {
    uint32_t width = picture->width, height = picture->height;
    uint32_t longest = width > height ? width : height;
    if (longest > side) {
        width = (width * side + longest / 2) / longest;
        height = (height * side + longest / 2) / longest;
        if (width == 0) width = 1;
        if (height == 0) height = 1;
    }
    bool is_transposed = picture->orientation >= 5;
    bool is_mirrored = (1 << picture->orientation) & (1 << 2 | 1 << 3 | 1 << 7 | 1 << 8);
    bool is_flipped = (1 << picture->orientation) & (1 << 3 | 1 << 4 | 1 << 6 | 1 << 7);
    uint32_t left = (side - (is_transposed ? height : width)) / 2, top = (side - (is_transposed ? width : height)) / 2;
    for (uint32_t y = 0; y < height; y++) {
        for (uint32_t x = 0; x < width; x++) {
            uint32_t across = is_mirrored ? width - 1 - x : x, down = is_flipped ? height - 1 - y : y;
            uint32_t column = left + (is_transposed ? down : across), row = top + (is_transposed ? across : down);
            average(picture, x * picture->width / width, (x + 1) * picture->width / width,
                    y * picture->height / height, (y + 1) * picture->height / height,
                    square + 4 * ((size_t)row * side + column));
        }
    }
}

int main(int argc, char **argv) {
    bool is_check = argc == 2 && strcmp(argv[1], "--check") == 0;
    long side = argc == 2 ? strtol(argv[1], NULL, 10) : 0;
    if (!is_check && (side < 1 || side > LARGEST_SIDE)) {
        fprintf(stderr, "usage: feedbell-picture --check | 1…%d\n", LARGEST_SIDE);
        return EX_USAGE;
    }
    const char *refused = confine();
    if (refused) {
        fprintf(stderr, "feedbell-picture: no picture is decoded, because the system refuses %s\n", refused);
        return EX_OSERR;
    }
    if (is_check) return check();

    static uint8_t input[LARGEST_INPUT + 1], square[4 * LARGEST_SIDE * LARGEST_SIDE];
    size_t count = 0;
    while (count < sizeof input) {
        ssize_t got = read(STDIN_FILENO, input + count, sizeof input - count);
        if (got < 0 && errno == EINTR) continue;
        if (got <= 0) break;
        count += got;
    }
    struct picture picture;
    if (count > LARGEST_INPUT || !decode(input, count, &picture)) return EX_DATAERR;
    draw(&picture, side, square);
    return put(square, 4 * side * side) ? 0 : EX_IOERR;
}
