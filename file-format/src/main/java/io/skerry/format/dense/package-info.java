/**
 * Dense storage: the links of a group and the attributes of an object in a fractal heap, indexed by
 * version 2 B-trees by name and, where the file says so, by creation order. Not the compact form,
 * where they are messages of the object header. Start at {@code DenseLinks} and {@code
 * DenseAttributes} to read, at {@code DenseLinksEditor} and {@code DenseAttributesEditor} to write.
 */
package io.skerry.format.dense;
