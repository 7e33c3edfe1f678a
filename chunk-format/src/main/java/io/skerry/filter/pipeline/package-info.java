/**
 * Filter pipelines: the filters of a dataset, applied when a chunk is written and reversed when it
 * is read.
 */
package io.skerry.filter.pipeline;
