#include "aurient_message.h"

static _Thread_local char message[AURIENT_MESSAGE_SIZE];

char *aurient_thread_message(void) { return message; }
