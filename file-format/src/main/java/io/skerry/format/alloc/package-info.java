/**
 * File space, given out in the same way on every rank. Not the collective allocation of chunks,
 * which is a prefix sum. Start at {@code SpaceAllocator}.
 */
package io.skerry.format.alloc;
