/**
 * Addresses, blocks of file space and positional reads of one file. Start at {@link
 * io.skerry.format.block.ByteSource}.
 */
package io.skerry.format.block;
