/**
 * Values of elements and attributes of every datatype, and the contents to which they refer. Start
 * at {@link Value}. {@link io.skerry.Dataset} and {@link io.skerry.Attribute} return them.
 *
 * <p>No argument may be null: a null causes a {@link NullPointerException}.
 */
package io.skerry.value;
