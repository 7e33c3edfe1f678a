/**
 * Filters, identified by number and parameters, and the interface that a filter implements. Start
 * at {@link Filters} to choose filters and at {@link Filter} to implement one.
 *
 * <p>No argument may be null: a null causes a {@link NullPointerException} as soon as it is needed,
 * possibly only when the created object is used. Methods that access memory throw {@link
 * IllegalStateException} if the memory is no longer accessible, and {@link WrongThreadException} if
 * only another thread may access it. The methods {@code equals}, {@code hashCode} and {@code
 * toString}, and the accessors and constructors of records for which nothing else is stated, are
 * local and thread-safe and do not fail.
 */
package io.skerry.filter;
