/**
 * Damaged files: {@link io.skerry.integration.fuzz.Mutator} creates them from intact files, and
 * {@link io.skerry.integration.fuzz.Campaign} passes them to a reader and counts the outcomes.
 * Start at the campaign. The caller supplies the reader; this package depends only on the
 * signatures and the checksum of HDF5.
 */
package io.skerry.integration.fuzz;
