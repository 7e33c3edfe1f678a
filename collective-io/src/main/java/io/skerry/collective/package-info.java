/**
 * One HDF5 file open on all ranks of a communicator: opening, raw data, flush, close. Start at
 * {@link CollectiveFile}.
 */
package io.skerry.collective;
