/**
 * The service provider of the API, which opens, copies and verifies HDF5 files. Start at {@link
 * io.skerry.internal.NativeFiles}.
 */
package io.skerry.internal;
