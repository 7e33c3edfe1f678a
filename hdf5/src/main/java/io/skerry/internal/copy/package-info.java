/**
 * Copies objects within a file and between files, with changed storage if requested. Start at
 * {@link io.skerry.internal.copy.ObjectCopy}, which builds a {@code CopyTree} of headers and copies
 * elements by {@code CopiedElements}.
 */
package io.skerry.internal.copy;
