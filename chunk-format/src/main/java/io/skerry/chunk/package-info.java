/**
 * Stored chunks: the bytes of a chunk as written to the file, and the table of its sections. Start
 * at {@link ChunkImage}. Chunk formats encode and decode these images.
 */
package io.skerry.chunk;
