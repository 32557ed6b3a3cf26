#ifndef FEEDBELL_CDBUS_SHIM_H
#define FEEDBELL_CDBUS_SHIM_H

#include <dbus/dbus.h>

#endif
