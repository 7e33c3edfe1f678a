/**
 * Reads of chunks of other files in which each chunk is read by one rank, which sends the values to
 * the other ranks that want them. Start at {@link SharedRead}. The module hdf5 reads the sources of
 * virtual datasets in this way; a source is opened by each rank that wants it.
 */
package io.skerry.collective.share;
