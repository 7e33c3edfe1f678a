/**
 * The service provider of the API, which opens and verifies HDF5 files, and copies their objects.
 * Start at {@link io.skerry.internal.NativeFiles}.
 */
package io.skerry.internal;
