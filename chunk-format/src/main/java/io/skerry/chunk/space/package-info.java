/**
 * Extents and selections: which elements of a dataspace, which chunks they fall into, and how they
 * are written down. Not the values, which others hold packed in selection order.
 *
 * <p>Start at {@code Selection}; {@code ChunkGrid} cuts one into chunks, {@code RunSet} is the form
 * inside a chunk, {@code SelectionCodec} the bytes. Sets are computed on {@code SpanTree}, a
 * canonical tree of spans per dimension.
 */
package io.skerry.chunk.space;
