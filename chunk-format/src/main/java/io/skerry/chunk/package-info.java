/**
 * Stored chunks: the bytes of a chunk as written to the file, and the table of its sections. Start
 * at {@link ChunkImage}. Chunk formats encode and decode these images.
 *
 * <p>No argument may be null: a null causes a {@link NullPointerException}.
 */
package io.skerry.chunk;
