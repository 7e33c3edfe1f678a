/**
 * Decodes and encodes object headers, chunk by chunk. Their messages are in {@code
 * io.skerry.format.message} and its subpackages. Start at {@link
 * io.skerry.format.header.ObjectHeader} to read and at {@link
 * io.skerry.format.header.ObjectHeaderWriter} to write.
 */
package io.skerry.format.header;
