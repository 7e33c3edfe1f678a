/**
 * Index owners and chunk owners: each rank's share of the chunk indexes, the choice of owners, the
 * rounds of a write. Start at {@link ChunkDirectory}.
 */
package io.skerry.collective.owner;
