/** Variable-length values of a chunk: the chunk heap, packed values and their copying. */
package io.skerry.chunk.content;
