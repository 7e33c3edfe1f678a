/**
 * Variable-length values of a chunk. In an element, each variable-length part is a descriptor; the
 * data to which it points is called content. Contains the chunk heap, packed values with their
 * content, and the code that copies content between the two. Start at {@link PackedContent}.
 */
package io.skerry.chunk.content;
