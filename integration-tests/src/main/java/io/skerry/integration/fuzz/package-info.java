/**
 * Damaged files: {@link io.skerry.integration.fuzz.Mutator} makes them from intact ones, and {@link
 * io.skerry.integration.fuzz.Campaign} passes them to a reader and counts the outcomes. Start at
 * the campaign. The caller supplies the reader; this package knows only the signatures and the
 * checksum of HDF5.
 */
package io.skerry.integration.fuzz;
