/** Little-endian cursors and checksums. Start at {@code ByteReader}. */
package io.skerry.chunk.bytes;
