/**
 * Reads and writes version 2 B-trees, independently of the type of their records. Start at {@link
 * io.skerry.format.btree.BTree2} to read and at {@link io.skerry.format.btree.BTree2Editor} to
 * write.
 */
package io.skerry.format.btree;
