/* The calling thread's last message, which Swift has no thread-local memory for. Not part of the interface. */
#ifndef AURIENT_MESSAGE_H
#define AURIENT_MESSAGE_H

#include <stddef.h>

/* Bytes of a message, with the zero at its end. */
#define AURIENT_MESSAGE_SIZE 1024

/* The calling thread's message, AURIENT_MESSAGE_SIZE bytes. */
char *aurient_thread_message(void);

#endif
