/** Extents and selections. Start at {@code Selection}. */
package io.skerry.chunk.space;
