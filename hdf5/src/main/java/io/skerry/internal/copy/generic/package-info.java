/**
 * Copies objects between two files, at least one of which is not an HDF5 file, using only the API.
 * Start at {@link io.skerry.internal.copy.generic.GenericCopy}.
 */
package io.skerry.internal.copy.generic;
