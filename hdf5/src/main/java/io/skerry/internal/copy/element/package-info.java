/**
 * Copies the elements of datasets: chunks and blocks as stored if possible, otherwise element by
 * element. The ranks share the work. Start at {@link
 * io.skerry.internal.copy.element.CopiedElements}.
 */
package io.skerry.internal.copy.element;
