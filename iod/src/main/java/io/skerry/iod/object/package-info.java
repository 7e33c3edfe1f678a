/**
 * Objects of a container above the storage engine: identifiers, scratch pads, checksums, and
 * key-value, array and BLOB objects at a transaction or within the changes of one. Start at {@link
 * io.skerry.iod.object.ObjectStore}. HDF5 objects are in {@code io.skerry.iod.object.model}.
 */
package io.skerry.iod.object;
