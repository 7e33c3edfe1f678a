/**
 * Damaged files: {@link io.skerry.testkit.fuzz.Mutator} makes them from sound ones, {@link
 * io.skerry.testkit.fuzz.Campaign} has them read and counts what came of it. Start with the
 * campaign. What reads is given by the caller; nothing here knows HDF5 but for its signatures and
 * its checksum.
 */
package io.skerry.testkit.fuzz;
