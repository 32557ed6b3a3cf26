/* A client with code that gdbus-codegen generates from org.feedbell.Agent1.xml: marks the first notification of an
 * account as read and waits for the signal. Prints a line for each fact it learns. */
#include "agent.h"
#include <stdio.h>
#include <stdlib.h>

static void fail(GError *error) {
    fprintf(stderr, "%s\n", error->message);
    exit(1);
}

static GMainLoop *loop;

static void finish_if_told(FeedbellAgent1Inbox *inbox) {
    if (feedbell_agent1_inbox_get_unread_count(inbox) != 0) return;
    if (g_object_get_data(G_OBJECT(inbox), "read")) g_main_loop_quit(loop);
}

static void changed(FeedbellAgent1Inbox *inbox, const char *id, GVariant *item, void *unused) {
    gint64 read = 0;
    if (!g_variant_lookup(item, "read", "x", &read) || read == 0) return;
    /* Once more when the service says its own time of it. */
    if (g_object_get_data(G_OBJECT(inbox), "read") == NULL) printf("changed %s\n", id);
    g_object_set_data(G_OBJECT(inbox), "read", inbox);
    finish_if_told(inbox);
}

static void counted(FeedbellAgent1Inbox *inbox, GParamSpec *property, void *unused) { finish_if_told(inbox); }

int main(void) {
    GError *error = NULL;
    GDBusObjectManager *manager = feedbell_object_manager_client_new_for_bus_sync(
        G_BUS_TYPE_SESSION, G_DBUS_OBJECT_MANAGER_CLIENT_FLAGS_NONE, "org.feedbell.Agent1",
        "/org/feedbell/Agent1", NULL, &error);
    if (manager == NULL) fail(error);
    GList *objects = g_dbus_object_manager_get_objects(manager);
    if (objects == NULL || objects->next != NULL) return 2;

    FeedbellAgent1Account *account = feedbell_object_peek_agent1_account(FEEDBELL_OBJECT(objects->data));
    printf("account %s %s\n", feedbell_agent1_account_get_name(account), feedbell_agent1_account_get_state(account));

    FeedbellAgent1Inbox *inbox = feedbell_object_peek_agent1_inbox(FEEDBELL_OBJECT(objects->data));
    printf("unread %u\n", feedbell_agent1_inbox_get_unread_count(inbox));
    g_signal_connect(inbox, "notification-changed", G_CALLBACK(changed), NULL);
    g_signal_connect(inbox, "notify::unread-count", G_CALLBACK(counted), NULL);

    GVariantDict options;
    g_variant_dict_init(&options, NULL);
    g_variant_dict_insert(&options, "limit", "u", 1);
    GVariant *items = NULL;
    if (!feedbell_agent1_inbox_call_list_sync(inbox, g_variant_dict_end(&options), &items, NULL, &error)) fail(error);
    GVariant *item = g_variant_get_child_value(items, 0);
    const char *id = NULL, *title = NULL;
    g_variant_lookup(item, "id", "&s", &id);
    g_variant_lookup(item, "title", "&s", &title);
    printf("title %s\n", title);

    const char *ids[] = {id, NULL};
    if (!feedbell_agent1_inbox_call_mark_read_sync(inbox, ids, NULL, &error)) fail(error);
    loop = g_main_loop_new(NULL, FALSE);
    g_main_loop_run(loop);
    printf("unread %u\n", feedbell_agent1_inbox_get_unread_count(inbox));
    return 0;
}
