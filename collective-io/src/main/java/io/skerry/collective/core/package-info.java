/**
 * State that the operations of one open file share on one rank, and access to stored chunks. Start
 * at {@link FileContext}. Reads, writes and flushes get all other objects of the file from it.
 */
package io.skerry.collective.core;
