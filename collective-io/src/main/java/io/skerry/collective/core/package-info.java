/**
 * Holds the state that the operations of an open file share on one rank, and accesses stored
 * chunks. Start at {@link FileContext}, through which reads, writes and flushes access all other
 * objects of the file.
 */
package io.skerry.collective.core;
