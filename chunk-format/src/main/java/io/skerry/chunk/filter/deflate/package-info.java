/**
 * The deflate filter, with two implementations of zlib and an encoder of deflate blocks (RFC 1951)
 * that finds runs of equal bytes but does not search for earlier strings. Start at {@link
 * DeflateFilter}.
 */
package io.skerry.chunk.filter.deflate;
