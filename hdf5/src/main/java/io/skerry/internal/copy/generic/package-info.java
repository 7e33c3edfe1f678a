/**
 * Copies objects between files of which at least one is not an HDF5 file, through the API alone.
 * Start at {@link io.skerry.internal.copy.generic.GenericCopy}.
 */
package io.skerry.internal.copy.generic;
