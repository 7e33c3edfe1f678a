/**
 * {@code digest}, {@code verify} and {@code recover}: content digests, structure checks, and
 * completion of an interrupted flush. Start at the handlers, such as {@link
 * io.skerry.jobs.integrity.DigestHandler}.
 */
package io.skerry.jobs.integrity;
