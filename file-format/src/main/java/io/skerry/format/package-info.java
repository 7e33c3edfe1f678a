/** Values of the file format that users see: format version bounds and short byte strings. */
package io.skerry.format;
