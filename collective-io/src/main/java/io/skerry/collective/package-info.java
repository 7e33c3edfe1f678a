/**
 * One HDF5 file open on all ranks of a communicator: opening, raw data, flush, close. Start at
 * {@link CollectiveFile}. The module hdf5 calls this package, which calls the other packages of
 * this module.
 */
package io.skerry.collective;
