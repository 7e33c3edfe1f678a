/**
 * Implements {@code virtual}, which creates a virtual dataset over datasets of other files, and
 * summarizes the mappings of virtual datasets for other commands. Start at {@link
 * io.skerry.jobs.virtual.VirtualHandler}.
 */
package io.skerry.jobs.virtual;
