/** Chunk indexes in B-trees of versions 1 and 2. */
package io.skerry.format.index.btree;
