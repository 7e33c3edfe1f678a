/**
 * Utilities for bytes and memory: little-endian readers and writers, checksums, memory limits and
 * pooled native memory. Start at {@link ByteReader}. The other packages of this module are built on
 * this package.
 */
package io.skerry.chunk.bytes;
