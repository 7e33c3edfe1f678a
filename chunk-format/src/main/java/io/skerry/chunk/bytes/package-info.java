/**
 * Little-endian readers and writers of bytes, checksums, memory limits and pooled memory. Start at
 * {@link ByteReader}. The other packages of this module are built on it.
 */
package io.skerry.chunk.bytes;
