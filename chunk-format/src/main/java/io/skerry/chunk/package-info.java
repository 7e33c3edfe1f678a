/** Stored chunks: the bytes of a chunk as written to the file and the table of its sections. */
package io.skerry.chunk;
