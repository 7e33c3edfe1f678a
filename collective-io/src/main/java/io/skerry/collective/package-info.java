/**
 * Opens an HDF5 file on all ranks of a communicator, accesses its raw data, and flushes and closes
 * it. Start at {@link CollectiveFile}. The module hdf5 calls this package, which calls the other
 * packages of this module.
 */
package io.skerry.collective;
