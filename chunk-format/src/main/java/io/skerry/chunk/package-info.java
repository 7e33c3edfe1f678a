/**
 * Stored chunks: the bytes of a chunk as written to the file, and the table of its sections. Start
 * at {@link ChunkImage}. Chunk formats encode and decode these images.
 *
 * <p>No argument may be null: a null causes a {@link NullPointerException} as soon as it is needed,
 * possibly only when the created object is used. The methods {@code equals}, {@code hashCode} and
 * {@code toString}, and the accessors and constructors of records for which nothing else is stated,
 * are local and thread-safe and do not fail.
 */
package io.skerry.chunk;
