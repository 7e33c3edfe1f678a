/**
 * The common base of the shards of all engines: the order of recovery, changes, aborts and purges,
 * the records of versions, and pages. Start at {@link io.skerry.iod.engine.shard.AbstractShard}.
 */
package io.skerry.iod.engine.shard;
