/** Filters and pipelines. Start at {@code FilterPipeline}. */
package io.skerry.chunk.filter;
