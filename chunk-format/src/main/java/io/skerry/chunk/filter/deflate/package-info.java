/**
 * Deflate blocks (RFC 1951) of bytes in which nothing repeats but single bytes: no search for
 * earlier strings, and so several times as fast as a compressor that searches.
 */
package io.skerry.chunk.filter.deflate;
