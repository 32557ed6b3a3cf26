#ifndef FEEDBELL_CDBUS_SHIM_H
#define FEEDBELL_CDBUS_SHIM_H

#include <dbus/dbus.h>
#include <errno.h>
#include <string.h>
#include <sys/socket.h>

/* Sends bytes, and at most 16 file descriptors with the first of them, without blocking and without SIGPIPE. Returns
   the number of bytes sent; -1 and errno if none were. The macros for descriptors are not imported into Swift. */
static inline ssize_t cdbus_send(
    int socket, const void *bytes, size_t count, const int *descriptors, size_t descriptor_count)
{
    struct iovec part = { (void *)bytes, count };
    union {
        char bytes[CMSG_SPACE(16 * sizeof(int))];
        struct cmsghdr alignment;
    } control;
    struct msghdr message = { 0 };
    message.msg_iov = &part;
    message.msg_iovlen = 1;
    if (descriptor_count > 16) {
        errno = EINVAL;
        return -1;
    }
    if (descriptor_count > 0) {
        memset(&control, 0, sizeof control);
        message.msg_control = control.bytes;
        message.msg_controllen = CMSG_SPACE(descriptor_count * sizeof(int));
        struct cmsghdr *header = CMSG_FIRSTHDR(&message);
        header->cmsg_level = SOL_SOCKET;
        header->cmsg_type = SCM_RIGHTS;
        header->cmsg_len = CMSG_LEN(descriptor_count * sizeof(int));
        memcpy(CMSG_DATA(header), descriptors, descriptor_count * sizeof(int));
    }
    ssize_t sent;
    do
        sent = sendmsg(socket, &message, MSG_NOSIGNAL | MSG_DONTWAIT);
    while (sent < 0 && errno == EINTR);
    return sent;
}

#endif
