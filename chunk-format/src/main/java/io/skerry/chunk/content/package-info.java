/**
 * Variable-length values of a chunk: the chunk heap, packed values with their content, and the code
 * that copies content between the two. Start at {@link PackedContent}.
 */
package io.skerry.chunk.content;
