/**
 * The chunk format layer: what one chunk is in memory and in the file. Not here: where chunks lie,
 * which exist, who owns them, and the file, ranks or threads around them. Start at {@code
 * ChunkFormat}; {@code SparseChunkFormat} is the example to vary, {@code DenseChunkFormat} the
 * ordinary chunk of HDF5.
 */
package io.skerry.chunk;
