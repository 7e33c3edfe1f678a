/**
 * Copies objects within a file and between files, with changed storage if requested. Start at
 * {@link io.skerry.internal.copy.ObjectCopy}, which copies headers with a {@code CopyTree} and
 * elements with {@link io.skerry.internal.copy.element.CopiedElements}.
 */
package io.skerry.internal.copy;
