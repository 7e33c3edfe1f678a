/**
 * Chunk indexes, cut into leaves that one rank each owns and a spine that all ranks hold. No
 * communication happens here. Start at {@code ChunkIndex}; {@code FixedArrayIndex} is the example
 * to follow for others.
 */
package io.skerry.format.index;
