/** An open HDF5 file: path resolution, creation and removal of objects, links to other files. */
package io.skerry.internal.file;
