#include "formats.h"

#include <gif_lib.h>
#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <jpeglib.h>
#include <png.h>
#include <webp/demux.h>

/// Takes the size and allocates transparent pixels.
static bool begin(struct picture *picture, uint32_t width, uint32_t height) {
    if (width < 1 || height < 1 || width > PICTURE_LIMIT || height > PICTURE_LIMIT) return false;
    *picture = (struct picture){width, height, 1, calloc((size_t)width * height, 4)};
    return picture->pixels != NULL;
}

// MARK: PNG

static bool decode_png(const uint8_t *bytes, size_t count, struct picture *picture) {
    png_image image = {.version = PNG_IMAGE_VERSION};
    if (!png_image_begin_read_from_memory(&image, bytes, count)) return false;
    image.format = PNG_FORMAT_RGBA;
    return begin(picture, image.width, image.height) && png_image_finish_read(&image, NULL, picture->pixels, 0, NULL);
}

// MARK: JPEG

struct jpeg_failure {
    struct jpeg_error_mgr manager;
    jmp_buf jump;
};

static void fail(j_common_ptr decoder) { longjmp(((struct jpeg_failure *)decoder->err)->jump, 1); }

/// Many pictures that are shown everywhere have a fault that the decoder can correct.
static void ignore(j_common_ptr decoder, int level) {}

static uint32_t number(const uint8_t *bytes, int count, bool is_big) {
    uint32_t value = 0;
    for (int index = 0; index < count; index++) value = value << 8 | bytes[is_big ? index : count - 1 - index];
    return value;
}

/// The orientation in the first directory of Exif data, which is that of TIFF 6.0; 1: it has none.
static int orientation(const uint8_t *data, size_t count) {
    if (count < 14 || memcmp(data, "Exif\0\0", 6) != 0) return 1;
    const uint8_t *tiff = data + 6;
    count -= 6;
    bool is_big = tiff[0] == 'M';
    size_t start = number(tiff + 4, 4, is_big);
    if (start > count - 2) return 1;
    size_t entries = number(tiff + start, 2, is_big);
    for (size_t entry = start + 2; entries > 0 && entry + 12 <= count; entry += 12, entries--) {
        if (number(tiff + entry, 2, is_big) != 0x0112) continue;
        uint32_t value = number(tiff + entry + 8, 2, is_big);
        return value >= 1 && value <= 8 ? (int)value : 1;
    }
    return 1;
}

/// Four inks to colours. Adobe's programs write them inverted.
static void convert_inks(uint8_t *row, uint32_t width, bool is_inverted) {
    for (uint8_t *pixel = row; pixel < row + 4 * width; pixel += 4) {
        for (int ink = 0; ink < 4; ink++) pixel[ink] = is_inverted ? pixel[ink] : 255 - pixel[ink];
        for (int ink = 0; ink < 3; ink++) pixel[ink] = pixel[ink] * pixel[3] / 255;
        pixel[3] = 255;
    }
}

static bool decode_jpeg(const uint8_t *bytes, size_t count, struct picture *picture) {
    struct jpeg_decompress_struct decoder;
    struct jpeg_failure failure;
    decoder.err = jpeg_std_error(&failure.manager);
    failure.manager.error_exit = fail;
    failure.manager.emit_message = ignore;
    if (setjmp(failure.jump)) return false;
    jpeg_create_decompress(&decoder);
    jpeg_mem_src(&decoder, bytes, count);
    jpeg_save_markers(&decoder, JPEG_APP0 + 1, 0xFFFF);
    jpeg_read_header(&decoder, TRUE);
    if (!begin(picture, decoder.image_width, decoder.image_height)) return false;
    for (jpeg_saved_marker_ptr marker = decoder.marker_list; marker; marker = marker->next)
        if (picture->orientation == 1) picture->orientation = orientation(marker->data, marker->data_length);
    bool has_inks = decoder.jpeg_color_space == JCS_CMYK || decoder.jpeg_color_space == JCS_YCCK;
    decoder.out_color_space = has_inks ? JCS_CMYK : JCS_EXT_RGBA;
    jpeg_start_decompress(&decoder);
    while (decoder.output_scanline < decoder.output_height) {
        uint8_t *row = picture->pixels + (size_t)4 * decoder.output_scanline * picture->width;
        jpeg_read_scanlines(&decoder, &row, 1);
        if (has_inks) convert_inks(row, picture->width, decoder.saw_Adobe_marker);
    }
    return true;
}

// MARK: GIF

struct input {
    const uint8_t *bytes;
    size_t count;
};

static int read_gif(GifFileType *gif, GifByteType *buffer, int count) {
    struct input *input = gif->UserData;
    if (count < 0 || (size_t)count > input->count) return 0;
    memcpy(buffer, input->bytes, count);
    input->bytes += count;
    input->count -= count;
    return count;
}

/// Decodes the frame whose description was read.
static bool decode_frame(GifFileType *gif, int transparent, struct picture *picture) {
    const GifImageDesc *frame = &gif->Image;
    const ColorMapObject *colors = frame->ColorMap ? frame->ColorMap : gif->SColorMap;
    static uint8_t line[PICTURE_LIMIT];
    if (!colors || frame->Width < 1 || frame->Width > PICTURE_LIMIT || frame->Height > PICTURE_LIMIT) return false;
    // The first row and the distance of the rows in each pass (GIF89a, Appendix E).
    static const int passes[][2] = {{0, 8}, {4, 8}, {2, 4}, {1, 2}};
    for (int pass = 0; pass < (frame->Interlace ? 4 : 1); pass++) {
        int distance = frame->Interlace ? passes[pass][1] : 1;
        for (int y = frame->Interlace ? passes[pass][0] : 0; y < frame->Height; y += distance) {
            if (DGifGetLine(gif, line, frame->Width) != GIF_OK) return false;
            for (int x = 0; x < frame->Width; x++) {
                uint32_t left = frame->Left + x, top = frame->Top + y;
                if (left >= picture->width || top >= picture->height) continue;
                if (line[x] == transparent || line[x] >= colors->ColorCount) continue;
                GifColorType color = colors->Colors[line[x]];
                uint8_t *pixel = picture->pixels + 4 * ((size_t)top * picture->width + left);
                memcpy(pixel, (uint8_t[]){color.Red, color.Green, color.Blue, 255}, 4);
            }
        }
    }
    return true;
}

static bool decode_gif(const uint8_t *bytes, size_t count, struct picture *picture) {
    struct input input = {bytes, count};
    GifFileType *gif = DGifOpen(&input, read_gif, NULL);
    if (!gif || !begin(picture, gif->SWidth, gif->SHeight)) return false;
    int transparent = NO_TRANSPARENT_COLOR;
    GifRecordType type;
    while (DGifGetRecordType(gif, &type) == GIF_OK && type != TERMINATE_RECORD_TYPE) {
        if (type == IMAGE_DESC_RECORD_TYPE)
            return DGifGetImageDesc(gif) == GIF_OK && decode_frame(gif, transparent, picture);
        int code;
        GifByteType *block;
        GraphicsControlBlock control;
        if (type != EXTENSION_RECORD_TYPE || DGifGetExtension(gif, &code, &block) != GIF_OK) return false;
        if (code == GRAPHICS_EXT_FUNC_CODE && block && DGifExtensionToGCB(block[0], block + 1, &control) == GIF_OK)
            transparent = control.TransparentColor;
        while (block)
            if (DGifGetExtensionNext(gif, &block) != GIF_OK) return false;
    }
    return false;
}

// MARK: WebP

static bool decode_webp(const uint8_t *bytes, size_t count, struct picture *picture) {
    WebPAnimDecoderOptions options;
    WebPAnimInfo information;
    uint8_t *pixels;
    int time;
    if (!WebPAnimDecoderOptionsInit(&options)) return false;
    options.color_mode = MODE_RGBA;
    WebPAnimDecoder *decoder = WebPAnimDecoderNew(&(WebPData){bytes, count}, &options);
    if (!decoder || !WebPAnimDecoderGetInfo(decoder, &information)) return false;
    if (!begin(picture, information.canvas_width, information.canvas_height)) return false;
    if (!WebPAnimDecoderGetNext(decoder, &pixels, &time)) return false;
    memcpy(picture->pixels, pixels, (size_t)4 * picture->width * picture->height);
    return true;
}

bool decode(const uint8_t *bytes, size_t count, struct picture *picture) {
    if (count < 12) return false;
    if (memcmp(bytes, "\x89PNG\r\n\x1A\n", 8) == 0) return decode_png(bytes, count, picture);
    if (memcmp(bytes, "\xFF\xD8\xFF", 3) == 0) return decode_jpeg(bytes, count, picture);
    if (memcmp(bytes, "GIF8", 4) == 0) return decode_gif(bytes, count, picture);
    if (memcmp(bytes, "RIFF", 4) == 0 && memcmp(bytes + 8, "WEBP", 4) == 0) return decode_webp(bytes, count, picture);
    return false;
}
