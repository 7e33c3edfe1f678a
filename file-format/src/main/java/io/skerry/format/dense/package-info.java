/**
 * Dense storage: the links of a group or the attributes of an object in a fractal heap, indexed by
 * name, and optionally by creation order, in version 2 B-trees. Compact storage, in which links and
 * attributes are messages in the object header, is in {@code io.skerry.format.message}. Start at
 * {@link io.skerry.format.dense.DenseLinks} and {@link io.skerry.format.dense.DenseAttributes} to
 * read, and at {@link io.skerry.format.dense.DenseLinksEditor} and {@link
 * io.skerry.format.dense.DenseAttributesEditor} to write.
 */
package io.skerry.format.dense;
