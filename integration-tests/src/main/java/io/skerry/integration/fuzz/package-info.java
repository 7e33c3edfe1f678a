/**
 * Tests that read damaged files. {@link io.skerry.integration.fuzz.Mutator} creates such files from
 * intact files, and {@link io.skerry.integration.fuzz.Campaign} passes them to a reader and counts
 * the outcomes. Start at the campaign. The caller supplies the reader; this package uses only the
 * signatures and the checksum of the file format, and the exceptions of Skerry.
 */
package io.skerry.integration.fuzz;
