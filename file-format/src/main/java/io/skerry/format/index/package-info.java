/**
 * Opens and creates chunk indexes of every kind, and implements the single-chunk and implicit
 * indexes. Start at {@link io.skerry.format.index.ChunkIndexes}.
 */
package io.skerry.format.index;
