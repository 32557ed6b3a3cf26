#ifndef FORMATS_H
#define FORMATS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/// The maximum width and height, in pixels.
#define PICTURE_LIMIT 4096

/// A decoded picture. It is never freed: the process ends with it.
struct picture {
    uint32_t width, height;
    /// How it is turned or mirrored, from 1 (not at all) to 8 (Exif 2.32, "Orientation").
    int orientation;
    /// Red, green, blue and opacity of each pixel, row by row from the top.
    uint8_t *pixels;
};

/// Decodes a PNG, a JPEG, or the first frame of a GIF or of a WebP file. Returns false if it is another file, damaged,
/// or too large.
bool decode(const uint8_t *bytes, size_t count, struct picture *picture);

#endif
