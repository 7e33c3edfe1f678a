/**
 * Compressors and decompressors for single blocks of bytes, behind one interface; some use
 * libraries, others are implemented here. Start at {@link BlockCodec}. Filters that store several
 * blocks are in {@code io.skerry.chunk.filter.plugin}.
 */
package io.skerry.chunk.filter.codec;
