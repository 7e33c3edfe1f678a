/**
 * Compressors of a single block of bytes behind one interface: implementations from libraries and
 * our own. Start at {@link BlockCodec}. Containers of several blocks are filters, in {@code
 * io.skerry.chunk.filter.plugin}.
 */
package io.skerry.chunk.filter.codec;
