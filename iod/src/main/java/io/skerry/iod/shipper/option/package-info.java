/**
 * The options of the function shipper, and the division of ranks into clients and I/O ranks. Start
 * at {@link io.skerry.iod.shipper.option.ShipperOptions}.
 */
package io.skerry.iod.shipper.option;
