/**
 * Values of the file format that users see: format version bounds and short byte strings. Start at
 * {@link io.skerry.format.FormatBounds}.
 *
 * <p>All methods are local and thread-safe; they do not fail unless their documentation states
 * otherwise. No argument may be null: a null causes a {@link NullPointerException}.
 */
package io.skerry.format;
