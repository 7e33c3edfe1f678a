/**
 * Bits and bytes in other orders: transpositions of bytes and of bits, streams of bits, memory for
 * what is decoded. What filters share; nothing here knows a filter. Start at {@code BitInput} or
 * {@code ByteTransposition}.
 */
package io.skerry.chunk.filter.bits;
