/**
 * An open HDF5 file: path resolution, creation and removal of objects, links to other files. Start
 * at {@link io.skerry.internal.file.NativeFile}.
 */
package io.skerry.internal.file;
