// A window of libadwaita without Feedbell, with which packaging/benchmark compares ours.
//
// plain-window FILE [ROWS]: at the end of each frame it writes a line to the file, as FrameLog.swift describes them.
// With ROWS it has a list, whose rows have the widgets that those of Feedbell show.

#include <adwaita.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

struct plain_window {
    FILE *log;
    unsigned rows;
};

static long long microseconds(clockid_t clock) {
    struct timespec time;
    clock_gettime(clock, &time);
    return time.tv_sec * 1000000LL + time.tv_nsec / 1000;
}

static void frame_ended(GdkFrameClock *clock, gpointer data) {
    (void)clock;
    struct plain_window *plain = data;
    long long time = microseconds(CLOCK_MONOTONIC), processor = microseconds(CLOCK_THREAD_CPUTIME_ID);
    fprintf(plain->log, "frame %lld %lld %u %u 0\n", time, processor, plain->rows, plain->rows);
    fflush(plain->log);
}

static void realized(GtkWidget *window, gpointer plain) {
    g_signal_connect(gtk_widget_get_frame_clock(window), "after-paint", G_CALLBACK(frame_ended), plain);
}

static GtkWidget *label(const char *style, gboolean wraps) {
    GtkWidget *label = gtk_label_new(NULL);
    gtk_label_set_xalign(GTK_LABEL(label), 0);
    gtk_widget_add_css_class(label, style);
    if (wraps) {
        gtk_label_set_wrap(GTK_LABEL(label), TRUE);
        gtk_label_set_wrap_mode(GTK_LABEL(label), PANGO_WRAP_WORD_CHAR);
        gtk_label_set_width_chars(GTK_LABEL(label), 12);
    }
    return label;
}

static void row_created(GtkListItemFactory *factory, GtkListItem *item, gpointer plain) {
    (void)factory, (void)plain;
    GtkWidget *row = gtk_box_new(GTK_ORIENTATION_HORIZONTAL, 10);
    GtkWidget *avatar = adw_avatar_new(36, NULL, TRUE);
    gtk_widget_set_valign(avatar, GTK_ALIGN_START);
    GtkWidget *text = gtk_box_new(GTK_ORIENTATION_VERTICAL, 3);
    gtk_widget_set_hexpand(text, TRUE);
    GtkWidget *line = gtk_box_new(GTK_ORIENTATION_HORIZONTAL, 6);
    GtkWidget *title = label("headline", TRUE), *body = label("text", TRUE);
    gtk_widget_set_hexpand(title, TRUE);
    gtk_box_append(GTK_BOX(line), title);
    gtk_box_append(GTK_BOX(line), label("caption", FALSE));
    gtk_box_append(GTK_BOX(text), line);
    gtk_box_append(GTK_BOX(text), body);
    gtk_box_append(GTK_BOX(text), label("caption", TRUE));
    GtkWidget *menu = gtk_button_new_from_icon_name("view-more-symbolic");
    gtk_widget_set_valign(menu, GTK_ALIGN_START);
    gtk_widget_add_css_class(menu, "flat");
    gtk_widget_add_css_class(menu, "circular");
    gtk_box_append(GTK_BOX(row), avatar);
    gtk_box_append(GTK_BOX(row), text);
    gtk_box_append(GTK_BOX(row), menu);
    gtk_list_item_set_child(item, row);
}

static void row_filled(GtkListItemFactory *factory, GtkListItem *item, gpointer plain) {
    (void)factory, (void)plain;
    const char *number = gtk_string_object_get_string(GTK_STRING_OBJECT(gtk_list_item_get_item(item)));
    GtkWidget *avatar = gtk_widget_get_first_child(gtk_list_item_get_child(item));
    GtkWidget *line = gtk_widget_get_first_child(gtk_widget_get_next_sibling(avatar));
    GtkWidget *title = gtk_widget_get_first_child(line), *body = gtk_widget_get_next_sibling(line);
    char *words = g_strdup_printf("Notification %s", number);
    adw_avatar_set_text(ADW_AVATAR(avatar), words);
    gtk_label_set_text(GTK_LABEL(title), words);
    gtk_label_set_text(GTK_LABEL(gtk_widget_get_next_sibling(title)), number);
    gtk_label_set_text(GTK_LABEL(body), words);
    gtk_label_set_text(GTK_LABEL(gtk_widget_get_next_sibling(body)), words);
    g_free(words);
}

static GtkWidget *list(struct plain_window *plain) {
    GtkStringList *numbers = gtk_string_list_new(NULL);
    for (unsigned row = 0; row < plain->rows; row++) {
        char *number = g_strdup_printf("%u", row);
        gtk_string_list_append(numbers, number);
        g_free(number);
    }
    GtkListItemFactory *factory = gtk_signal_list_item_factory_new();
    g_signal_connect(factory, "setup", G_CALLBACK(row_created), plain);
    g_signal_connect(factory, "bind", G_CALLBACK(row_filled), plain);
    GtkSelectionModel *model = GTK_SELECTION_MODEL(gtk_single_selection_new(G_LIST_MODEL(numbers)));
    return gtk_list_view_new(model, factory);
}

static void activated(GtkApplication *application, gpointer data) {
    struct plain_window *plain = data;
    GtkWidget *window = adw_application_window_new(application);
    gtk_window_set_title(GTK_WINDOW(window), "Plain");
    GtkWidget *box = gtk_box_new(GTK_ORIENTATION_VERTICAL, 0);
    gtk_box_append(GTK_BOX(box), adw_header_bar_new());
    adw_application_window_set_content(ADW_APPLICATION_WINDOW(window), box);
    gtk_window_set_default_size(GTK_WINDOW(window), 620, 760);
    g_signal_connect(window, "realize", G_CALLBACK(realized), plain);
    if (plain->rows > 0) {
        GtkWidget *scrolled = gtk_scrolled_window_new(), *rows = list(plain);
        gtk_widget_set_vexpand(scrolled, TRUE);
        gtk_scrolled_window_set_child(GTK_SCROLLED_WINDOW(scrolled), rows);
        gtk_box_append(GTK_BOX(box), scrolled);
        gtk_window_present(GTK_WINDOW(window));
        gtk_widget_grab_focus(rows);
    } else {
        gtk_window_present(GTK_WINDOW(window));
    }
}

int main(int count, char **arguments) {
    if (count < 2 || count > 3) return 64;
    struct plain_window plain = {fopen(arguments[1], "w"), count == 3 ? (unsigned)atoi(arguments[2]) : 0};
    if (plain.log == NULL) return 73;
    AdwApplication *application = adw_application_new("org.feedbell.PlainWindow", G_APPLICATION_DEFAULT_FLAGS);
    g_signal_connect(application, "activate", G_CALLBACK(activated), &plain);
    return g_application_run(G_APPLICATION(application), 0, NULL);
}
