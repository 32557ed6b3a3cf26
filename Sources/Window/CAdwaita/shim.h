#ifndef FEEDBELL_CADWAITA_SHIM_H
#define FEEDBELL_CADWAITA_SHIM_H

#if !__has_include(<adwaita.h>)
#error The window needs the development files of libadwaita 1.2 (Debian: libadwaita-1-dev). FEEDBELL_WINDOW=0 omits it.
#endif
// What was deprecated after the oldest versions that the window runs with is no warning.
#define GDK_VERSION_MIN_REQUIRED GDK_VERSION_4_8
#define ADW_VERSION_MIN_REQUIRED ADW_VERSION_1_2
#include <adwaita.h>
#include <glib-unix.h>

#ifdef GDK_WINDOWING_WAYLAND
#include <gdk/wayland/gdkwayland.h>
#endif

// Says to a Wayland compositor to which desktop entry a shown window belongs. GTK has said the application's bus name.
static inline void feedbell_surface_set_application(GdkSurface *surface, const char *desktop_entry) {
#ifdef GDK_WINDOWING_WAYLAND
    if (GDK_IS_WAYLAND_TOPLEVEL(surface)) {
        gdk_wayland_toplevel_set_application_id(GDK_TOPLEVEL(surface), desktop_entry);
    }
#endif
}

// Says to screen readers whether a value is wrong. GTK 4.8 takes this state from no GValue.
static inline void feedbell_accessible_set_invalid(GtkAccessible *accessible, gboolean is_invalid) {
    GtkAccessibleInvalidState state = is_invalid ? GTK_ACCESSIBLE_INVALID_TRUE : GTK_ACCESSIBLE_INVALID_FALSE;
    gtk_accessible_update_state(accessible, GTK_ACCESSIBLE_STATE_INVALID, state, -1);
}

// Says to screen readers that a row is selected.
static inline void feedbell_accessible_set_selected(GtkAccessible *accessible) {
    gtk_accessible_update_state(accessible, GTK_ACCESSIBLE_STATE_SELECTED, TRUE, -1);
}

// Says to screen readers whether what is below a row is shown.
static inline void feedbell_accessible_set_expanded(GtkAccessible *accessible, gboolean is_expanded) {
    gtk_accessible_update_state(accessible, GTK_ACCESSIBLE_STATE_EXPANDED, is_expanded, -1);
}

#endif
