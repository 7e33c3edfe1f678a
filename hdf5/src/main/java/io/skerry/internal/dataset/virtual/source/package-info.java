/**
 * Opens the sources of virtual datasets, and keeps them open. Start at {@link
 * io.skerry.internal.dataset.virtual.source.VirtualSources}.
 */
package io.skerry.internal.dataset.virtual.source;
