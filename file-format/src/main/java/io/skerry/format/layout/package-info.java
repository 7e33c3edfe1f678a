/** The data layout message: compact, contiguous, chunked and virtual storage. */
package io.skerry.format.layout;
