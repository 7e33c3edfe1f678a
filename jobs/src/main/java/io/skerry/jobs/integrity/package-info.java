/**
 * Implements {@code digest}, which prints content digests, {@code verify}, which checks the
 * structures of a file, and {@code recover}, which finishes or discards an interrupted flush. Start
 * at the handlers, such as {@link io.skerry.jobs.integrity.DigestHandler}.
 */
package io.skerry.jobs.integrity;
