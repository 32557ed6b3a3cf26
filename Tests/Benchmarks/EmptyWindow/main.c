// An empty window of libadwaita, with which packaging/benchmark compares ours.
//
// empty-window FILE: at the end of each frame it writes a line to the file, as FrameLog.swift describes them.

#include <adwaita.h>
#include <stdio.h>

static void frame_ended(GdkFrameClock *clock, gpointer log) {
    (void)clock;
    fprintf(log, "frame %lld 0 0 0 0\n", (long long)g_get_monotonic_time());
    fflush(log);
}

static void realized(GtkWidget *window, gpointer log) {
    g_signal_connect(gtk_widget_get_frame_clock(window), "after-paint", G_CALLBACK(frame_ended), log);
}

static void activated(GtkApplication *application, gpointer log) {
    GtkWidget *window = adw_application_window_new(application);
    GtkWidget *box = gtk_box_new(GTK_ORIENTATION_VERTICAL, 0);
    gtk_box_append(GTK_BOX(box), adw_header_bar_new());
    adw_application_window_set_content(ADW_APPLICATION_WINDOW(window), box);
    gtk_window_set_default_size(GTK_WINDOW(window), 620, 760);
    g_signal_connect(window, "realize", G_CALLBACK(realized), log);
    gtk_window_present(GTK_WINDOW(window));
}

int main(int count, char **arguments) {
    if (count != 2) return 64;
    FILE *log = fopen(arguments[1], "w");
    if (log == NULL) return 73;
    AdwApplication *application = adw_application_new("org.feedbell.EmptyWindow", G_APPLICATION_DEFAULT_FLAGS);
    g_signal_connect(application, "activate", G_CALLBACK(activated), log);
    return g_application_run(G_APPLICATION(application), 0, NULL);
}
