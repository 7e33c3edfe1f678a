/**
 * Values of the file format that users see: format version bounds and short byte strings. Start at
 * {@link io.skerry.format.FormatBounds}.
 *
 * <p>No argument may be null: a null causes a {@link NullPointerException}.
 */
package io.skerry.format;
