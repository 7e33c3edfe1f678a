/**
 * The version 2 B-tree, independent of the type of its records. Start at {@link
 * io.skerry.format.btree.BTree2} to read and at {@link io.skerry.format.btree.BTree2Editor} to
 * write.
 */
package io.skerry.format.btree;
