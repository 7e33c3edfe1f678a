/** Chunk indexes. Start at {@code ChunkIndex}. */
package io.skerry.format.index;
