/**
 * {@code digest}, {@code verify} and {@code recover}: content digests, structure checks, and
 * completion of an interrupted flush.
 */
package io.skerry.jobs.integrity;
