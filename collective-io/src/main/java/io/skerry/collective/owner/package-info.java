/**
 * Manages index owners and chunk owners: each rank's share of the chunk indexes, the choice of
 * chunk owners, and the rounds of a write. Start at {@link ChunkDirectory}. Reads, writes and
 * flushes use this package to find the records and the owners of chunks.
 */
package io.skerry.collective.owner;
