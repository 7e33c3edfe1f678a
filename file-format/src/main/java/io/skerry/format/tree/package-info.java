/**
 * The version 2 B-tree: a header and nodes of records of one size, whatever the records mean.
 * Ordered by its user, who compares records; knows nothing of links, attributes or chunks. Start at
 * {@code BTree2} to read, at {@code BTree2Editor} to change one and {@code BTree2Builder} to make
 * one.
 */
package io.skerry.format.tree;
