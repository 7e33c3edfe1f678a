/**
 * Compressors for single blocks of bytes behind one interface, some from libraries and some
 * implemented here. Start at {@link BlockCodec}. Containers of several blocks are filters; they are
 * in {@code io.skerry.chunk.filter.plugin}.
 */
package io.skerry.chunk.filter.codec;
