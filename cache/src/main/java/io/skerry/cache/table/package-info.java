/**
 * The chunks in memory: a lock-free table per dataset, the states of a chunk, and the accounting of
 * bytes.
 */
package io.skerry.cache.table;
