/** The version 2 B-tree, independent of the kind of its records. */
package io.skerry.format.btree;
