/**
 * Chunk formats: dense, sparse and variable-length chunks, in memory and as stored. Start at {@link
 * ChunkFormat}, the interface that the layers above this module use.
 */
package io.skerry.chunk.format;
