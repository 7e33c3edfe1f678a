/** One HDF5 file stored in several: families and multi files, read as one address space. */
package io.skerry.collective.multifile;
