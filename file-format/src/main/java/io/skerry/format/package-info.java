/**
 * The bytes of an HDF5 file outside its chunks: superblock, addresses, checksums, and the journal
 * of replaced blocks. Knows nothing of ranks, threads or file handles: bytes come from a {@code
 * ByteSource} and leave as {@code BlockImage}s. Start at {@code Superblock}.
 */
package io.skerry.format;
