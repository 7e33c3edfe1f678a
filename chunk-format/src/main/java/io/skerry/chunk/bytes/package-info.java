/**
 * Utilities for bytes and memory: little-endian readers and writers, checksums, memory limits and
 * pooled native memory. Start at {@link ByteReader}.
 */
package io.skerry.chunk.bytes;
