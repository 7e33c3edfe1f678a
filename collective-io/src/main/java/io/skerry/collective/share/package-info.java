/**
 * Reads the sources of virtual datasets so that each chunk is read by one rank, which sends the
 * values to the other ranks that need them. Start at {@link SharedRead}. The module {@code hdf5}
 * calls this package; each rank opens the sources that it needs.
 */
package io.skerry.collective.share;
