// The same calls with libdbus alone: the figures that our library is compared with.
#include "CBaseline.h"

#include <dbus/dbus.h>
#include <pthread.h>
#include <time.h>

static double now(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + (double)time.tv_nsec / 1e9;
}

static DBusConnection *connect_to(const char *address) {
    DBusConnection *connection = dbus_connection_open_private(address, NULL);
    if (connection == NULL) return NULL;
    dbus_connection_set_exit_on_disconnect(connection, FALSE);
    if (!dbus_bus_register(connection, NULL)) {
        dbus_connection_close(connection);
        dbus_connection_unref(connection);
        return NULL;
    }
    return connection;
}

static void disconnect(DBusConnection *connection) {
    dbus_connection_close(connection);
    dbus_connection_unref(connection);
}

double cbaseline_round_trips(const char *address, int count) {
    DBusConnection *connection = connect_to(address);
    if (connection == NULL) return -1;
    const double start = now();
    double result = 0;
    for (int i = 0; i < count && result >= 0; i++) {
        DBusMessage *call =
            dbus_message_new_method_call(DBUS_SERVICE_DBUS, DBUS_PATH_DBUS, DBUS_INTERFACE_PEER, "Ping");
        DBusMessage *reply = dbus_connection_send_with_reply_and_block(connection, call, -1, NULL);
        dbus_message_unref(call);
        if (reply == NULL) result = -1;
        else dbus_message_unref(reply);
    }
    if (result >= 0) result = now() - start;
    disconnect(connection);
    return result;
}

struct sender {
    DBusConnection *connection;
    int count;
};

static void *send_signals(void *context) {
    const struct sender *sender = context;
    for (dbus_uint32_t i = 0; i < (dbus_uint32_t)sender->count; i++) {
        DBusMessage *signal = dbus_message_new_signal("/org/feedbell/Benchmark", "org.feedbell.Benchmark", "Tick");
        dbus_message_append_args(signal, DBUS_TYPE_UINT32, &i, DBUS_TYPE_INVALID);
        dbus_connection_send(sender->connection, signal, NULL);
        dbus_message_unref(signal);
    }
    dbus_connection_flush(sender->connection);
    return NULL;
}

// Returns how many signals came; fewer than `count` when none comes for five seconds.
static int receive_signals(DBusConnection *connection, int count) {
    int received = 0;
    double last = now();
    while (received < count && now() - last < 5 && dbus_connection_read_write(connection, 1000)) {
        DBusMessage *message;
        while ((message = dbus_connection_pop_message(connection)) != NULL) {
            if (dbus_message_is_signal(message, "org.feedbell.Benchmark", "Tick")) {
                received++;
                last = now();
            }
            dbus_message_unref(message);
        }
    }
    return received;
}

double cbaseline_signals(const char *address, int count) {
    double result = -1;
    DBusConnection *receiver = connect_to(address);
    struct sender sender = {connect_to(address), count};
    if (receiver != NULL && sender.connection != NULL) {
        // With a place for an error this waits until the bus has the rule.
        DBusError error = DBUS_ERROR_INIT;
        dbus_bus_add_match(receiver, "type='signal',interface='org.feedbell.Benchmark'", &error);
        dbus_error_free(&error);
        pthread_t thread;
        const double start = now();
        if (pthread_create(&thread, NULL, send_signals, &sender) == 0) {
            if (receive_signals(receiver, count) == count) result = now() - start;
            pthread_join(thread, NULL);
        }
    }
    if (sender.connection != NULL) disconnect(sender.connection);
    if (receiver != NULL) disconnect(receiver);
    return result;
}
