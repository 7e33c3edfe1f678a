/**
 * Encodes and decodes selections and dataspaces in every version of the file format. Start at
 * {@link SelectionCodec}.
 */
package io.skerry.chunk.dataspace.encoding;
