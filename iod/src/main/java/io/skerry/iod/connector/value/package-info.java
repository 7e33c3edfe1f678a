/**
 * Values of elements whose content is in BLOBs: reading it, and encoding values to be written.
 * Start at {@link io.skerry.iod.connector.value.ContainerContents} and {@link
 * io.skerry.iod.connector.value.EncodedCells}.
 */
package io.skerry.iod.connector.value;
