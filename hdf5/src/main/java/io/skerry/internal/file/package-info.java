/**
 * An open HDF5 file: path resolution, creation and removal of objects, links to other files. Start
 * at {@link io.skerry.internal.file.NativeFile}; its operations on objects are in {@link
 * io.skerry.internal.file.ObjectSteps}.
 */
package io.skerry.internal.file;
