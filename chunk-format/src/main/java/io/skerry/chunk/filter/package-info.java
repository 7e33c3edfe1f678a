/**
 * Filters: what happens to the bytes of a chunk, or of one of its sections, between memory and
 * file. Not here: where the filter pipeline message lies in an object header (file-format), and
 * which section is what (the chunk formats). Start at {@code FilterPipeline}; {@code Filters} makes
 * the usual specifications, {@code SectionPipelines} holds one pipeline per section.
 */
package io.skerry.chunk.filter;
