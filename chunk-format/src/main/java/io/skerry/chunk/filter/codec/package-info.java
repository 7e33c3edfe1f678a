/**
 * Compressors of one block of bytes, behind one interface: those that libraries bring and those of
 * our own. Not here: containers of blocks, which are filters. Start at {@code BlockCodec}.
 */
package io.skerry.chunk.filter.codec;
