/**
 * Opens an HDF5 file on all ranks of a communicator, accesses its raw data, and flushes and closes
 * it. Start at {@link CollectiveFile}. The module {@code hdf5} calls this package, and this package
 * calls the other packages of its module.
 */
package io.skerry.collective;
