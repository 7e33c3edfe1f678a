/**
 * Reads an HDF5 file that is stored in several files (a family or a multi file) as one address
 * space. Start at {@link MultifileSearch}. Opening a file uses this package; {@link FileSource}
 * also reads ordinary files.
 */
package io.skerry.collective.multifile;
