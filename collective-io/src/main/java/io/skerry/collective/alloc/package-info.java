/**
 * Assigns addresses to encoded chunks: free blocks, collective late allocation, and chunks that are
 * stored but not yet published. Start at {@link Placement}. Flushes and direct writes of complete
 * chunks use this package to allocate space; {@code io.skerry.format.alloc} contains the allocator
 * that all ranks keep in the same state.
 */
package io.skerry.collective.alloc;
