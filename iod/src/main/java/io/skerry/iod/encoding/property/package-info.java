/**
 * The encoding in which a container stores property lists: that of {@code H5Pencode} of the HDF5
 * library. Start at {@link io.skerry.iod.encoding.property.CreationLists} to create the list of a
 * new object, and at {@link io.skerry.iod.encoding.property.PropertyList} to decode one.
 */
package io.skerry.iod.encoding.property;
