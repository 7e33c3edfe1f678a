/**
 * Filter pipelines: the filters of a dataset, applied when a chunk is written and reversed when it
 * is read. Start at {@link FilterPipeline}.
 *
 * <p>No argument may be null: a null causes a {@link NullPointerException} as soon as it is needed,
 * possibly only when the created object is used. Methods that access memory throw {@link
 * IllegalStateException} if the memory is no longer accessible, and {@link WrongThreadException} if
 * only another thread may access it. An exception thrown by an installed filter, an allocator or
 * another object that the caller provides is passed on, unless stated otherwise. The methods {@code
 * equals}, {@code hashCode} and {@code toString}, and the accessors and constructors of records for
 * which nothing else is stated, are local and thread-safe and do not fail.
 */
package io.skerry.filter.pipeline;
