/**
 * The messages between compute ranks and I/O ranks, and their encoding. Start at {@link
 * io.skerry.iod.shipper.wire.Message} and {@link io.skerry.iod.shipper.wire.Frame}.
 */
package io.skerry.iod.shipper.wire;
