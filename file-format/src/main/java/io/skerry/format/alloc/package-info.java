/**
 * Allocates file space, with equal results on every rank. The collective allocation of chunks,
 * which uses a prefix sum over the ranks, is not part of this module. Start at {@link
 * io.skerry.format.alloc.SpaceAllocator}.
 */
package io.skerry.format.alloc;
