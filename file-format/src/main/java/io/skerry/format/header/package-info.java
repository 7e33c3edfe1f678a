/**
 * Object headers: decoding and encoding of their chunks; the messages in them are in the packages
 * of messages. Start at {@link io.skerry.format.header.ObjectHeader} to read and at {@link
 * io.skerry.format.header.ObjectHeaderWriter} to write.
 */
package io.skerry.format.header;
