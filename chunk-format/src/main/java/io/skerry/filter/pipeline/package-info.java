/**
 * Filter pipelines: the filters of a dataset, applied when a chunk is written and reversed when it
 * is read. Start at {@link FilterPipeline}.
 *
 * <p>No argument may be null: a null causes a {@link NullPointerException}.
 */
package io.skerry.filter.pipeline;
