/**
 * The function shipper: compute ranks send calls over a communicator to I/O ranks, which own the
 * shards of a container. Start at {@link io.skerry.iod.shipper.Shipper}; {@link
 * io.skerry.iod.shipper.ShipperClient} gives the object layer a container whose shards are remote.
 */
package io.skerry.iod.shipper;
