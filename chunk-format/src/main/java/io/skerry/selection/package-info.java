/**
 * Selections of elements in a dataspace: all, none, hyperslabs, regions and point lists, with set
 * algebra. Start at {@link Selection}.
 *
 * <p>No argument may be null: a null causes a {@link NullPointerException} as soon as it is needed,
 * possibly only when the created object is used. The methods {@code equals}, {@code hashCode} and
 * {@code toString}, and the accessors and constructors of records for which nothing else is stated,
 * are local and thread-safe and do not fail.
 */
package io.skerry.selection;
