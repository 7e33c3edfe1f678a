/**
 * The two heaps that keep byte sequences outside object headers: the fractal heap, addressed by
 * heap ids (dense links and attributes, shared messages), and the global heap, addressed by
 * collection and index (variable-length data, references). Knows nothing of what the bytes mean.
 * Start at {@code FractalHeap} and {@code GlobalHeap} to read, at {@code FractalHeapEditor} and
 * {@code GlobalHeapWriter} to write.
 */
package io.skerry.format.heap;
