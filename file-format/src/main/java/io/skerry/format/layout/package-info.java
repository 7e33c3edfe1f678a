/**
 * The data layout message: compact, contiguous, chunked and virtual storage. Start at {@link
 * io.skerry.format.layout.LayoutMessage}.
 */
package io.skerry.format.layout;
