/** Encoding and decoding of selections and dataspaces, in every version of the format. */
package io.skerry.chunk.dataspace.encoding;
