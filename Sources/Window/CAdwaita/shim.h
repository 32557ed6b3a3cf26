#ifndef FEEDBELL_CADWAITA_SHIM_H
#define FEEDBELL_CADWAITA_SHIM_H

#include <adwaita.h>
#include <glib-unix.h>

#endif
