/** The chunk format layer. Start at {@code ChunkFormat}. */
package io.skerry.chunk;
