/**
 * Reads chunked datasets: collectively, by a single rank, or independently of other ranks. Start at
 * {@link CollectiveReader}. The {@code ChunkIo} of an open file chooses the reader.
 */
package io.skerry.collective.read;
