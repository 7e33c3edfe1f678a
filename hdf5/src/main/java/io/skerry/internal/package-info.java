/**
 * The service behind the API, {@link io.skerry.internal.NativeFiles}, which opens, copies and
 * verifies HDF5 files.
 */
package io.skerry.internal;
