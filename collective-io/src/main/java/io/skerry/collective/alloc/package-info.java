/**
 * Addresses of encoded chunks: free blocks, collective late allocation, and chunks that are stored
 * but not published. Start at {@link Placement}. Flushes and early writes of whole chunks allocate
 * here; {@code io.skerry.format.alloc} has the allocator that all ranks keep in the same state.
 */
package io.skerry.collective.alloc;
