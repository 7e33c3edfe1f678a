/**
 * Values of elements and attributes of every datatype, and access to the variable-length values and
 * the objects to which elements refer. Start at {@link Value}. {@link io.skerry.Dataset} and {@link
 * io.skerry.Attribute} return values.
 *
 * <p>No argument may be null: a null causes a {@link NullPointerException}. Constructors and
 * accessors of records, and {@code equals}, {@code hashCode} and {@code toString}, are local and
 * thread-safe, and do not fail unless their documentation states otherwise.
 */
package io.skerry.value;
