/**
 * What shards of all engines have in common: the order of recovery, changes, aborts and purges, the
 * records of versions, and pages. Start at {@link io.skerry.iod.engine.shard.AbstractShard}.
 */
package io.skerry.iod.engine.shard;
