#pragma once
/// The names of the functions for texts in UTF-8 end with _8.
#define PCRE2_CODE_UNIT_WIDTH 8
#include <pcre2.h>
