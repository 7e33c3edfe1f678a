/**
 * The HDF5 objects in a container: groups with links, datasets, committed datatypes, maps and
 * attributes. Start at {@link io.skerry.iod.object.model.ObjectCreator} for new objects and at
 * {@link io.skerry.iod.object.model.StoredObject} for existing ones.
 */
package io.skerry.iod.object.model;
