// SPDX-License-Identifier: GPL-2.0-only
/* Messages of protocol buffers, see protobuf.h. */
#include "export/protobuf.h"

#include <stdlib.h>
#include <string.h>

#define WIRE_VARINT 0
#define WIRE_BYTES 2

static void append(struct message *message, const void *bytes, size_t size)
{
	size_t wanted = message->capacity ? message->capacity : 64;
	uint8_t *more;

	while (wanted - message->size < size)
		wanted *= 2;
	if (wanted != message->capacity) {
		more = realloc(message->bytes, wanted);
		if (!more) {
			message->failed = true;
			return;
		}
		message->bytes = more;
		message->capacity = wanted;
	}
	if (size)
		memcpy(message->bytes + message->size, bytes, size);
	message->size += size;
}

void message_varint(struct message *message, uint64_t number)
{
	uint8_t bytes[10];
	size_t size = 0;

	do {
		bytes[size] = number & 0x7f;
		number >>= 7;
		if (number)
			bytes[size] |= 0x80;
		size++;
	} while (number);
	append(message, bytes, size);
}

void message_number(struct message *message, unsigned int field,
		    uint64_t number)
{
	message_varint(message, field << 3 | WIRE_VARINT);
	message_varint(message, number);
}

void message_bytes(struct message *message, unsigned int field,
		   const void *bytes, size_t size)
{
	message_varint(message, field << 3 | WIRE_BYTES);
	message_varint(message, size);
	append(message, bytes, size);
}

void message_part(struct message *message, unsigned int field,
		  struct message *part)
{
	message_bytes(message, field, part->bytes, part->size);
	message->failed |= part->failed;
	part->size = 0;
	part->failed = false;
}
