/**
 * Two heaps that store byte sequences outside object headers: the fractal heap, addressed by heap
 * ID (dense links and attributes, shared messages), and the global heap, addressed by collection
 * and index (variable-length data, references). The packages that use the heaps define the meaning
 * of the bytes. The local heap of an old-style group is in {@code io.skerry.format.symboltable}.
 * Start at {@link io.skerry.format.heap.FractalHeap} and {@link io.skerry.format.heap.GlobalHeap}
 * to read, and at {@link io.skerry.format.heap.FractalHeapEditor} and {@link
 * io.skerry.format.heap.GlobalHeapWriter} to write.
 */
package io.skerry.format.heap;
