/**
 * Filter pipelines: the filters of a dataset, applied when a chunk is written and reversed when it
 * is read. Start at {@link FilterPipeline}.
 */
package io.skerry.filter.pipeline;
