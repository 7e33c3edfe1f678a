/**
 * Code that several filters share: transposition of bytes and of bits, bit streams, and memory for
 * decoded data. Start at {@link BitInput} or {@link ByteTransposition}. This package does not
 * depend on any filter.
 */
package io.skerry.chunk.filter.bits;
