/**
 * Filters: what happens to the bytes of a chunk, or of one of its sections, between memory and
 * file. Not here: where the filter pipeline message lies in an object header (file-format), and
 * which section is what (the chunk formats). Start at {@code FilterPipeline}; {@code Filters} makes
 * the usual specifications, {@code FilterTarget} is what they are bound to, {@code FilterSet} says
 * which filters can be called, {@code SectionPipelines} holds one pipeline per section. Filters of
 * others are services of type {@code Filter}.
 */
package io.skerry.chunk.filter;
