/**
 * The version 2 B-tree: a header and nodes of records of one size, whatever the records mean.
 * Ordered by its user, who compares records; knows nothing of links, attributes or chunks. Start at
 * {@code BTree2} to read and at {@code BTree2Editor} to make or change one.
 */
package io.skerry.format.tree;
