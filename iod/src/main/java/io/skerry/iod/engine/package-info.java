/**
 * The interface of a storage engine: containers of shards that keep numbered versions of opaque
 * values, and the classes that all engines share. Start at {@link io.skerry.iod.engine.Engines},
 * which finds the engine of a location, and at {@link io.skerry.iod.engine.Shard}.
 */
package io.skerry.iod.engine;
