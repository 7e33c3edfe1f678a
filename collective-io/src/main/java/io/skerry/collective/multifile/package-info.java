/**
 * One HDF5 file stored in several: families and multi files, read as one address space. Start at
 * {@link MultifileSearch}. Opening a file uses this package; {@link FileSource} is also the reader
 * of ordinary files.
 */
package io.skerry.collective.multifile;
