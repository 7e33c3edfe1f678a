/**
 * Allocation of file space, with equal results on every rank; the collective allocation of chunks,
 * a prefix sum over the ranks, is elsewhere. Start at {@link
 * io.skerry.format.alloc.SpaceAllocator}.
 */
package io.skerry.format.alloc;
