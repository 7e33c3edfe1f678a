/**
 * The deflate filter, with two implementations of zlib and a fast encoder of deflate blocks (RFC
 * 1951). The encoder finds only runs of equal bytes and does not search for earlier strings, so it
 * is several times as fast as a compressor that searches. Start at {@link DeflateFilter}.
 */
package io.skerry.chunk.filter.deflate;
