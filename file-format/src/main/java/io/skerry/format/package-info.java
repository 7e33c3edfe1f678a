/**
 * Values of the file format that users see: format version bounds and short byte strings. Start at
 * {@link io.skerry.format.FormatBounds}.
 */
package io.skerry.format;
