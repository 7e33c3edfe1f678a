/**
 * Addresses, blocks of file space and positional reads of one file. All other packages of this
 * module build on these. Start at {@link io.skerry.format.block.ByteSource}.
 */
package io.skerry.format.block;
