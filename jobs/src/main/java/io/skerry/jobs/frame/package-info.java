/**
 * Stacks of detector frames as input of {@code lcls} and {@code pca}: shape, source, reader,
 * provenance text.
 */
package io.skerry.jobs.frame;
