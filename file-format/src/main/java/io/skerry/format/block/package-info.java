/**
 * Addresses, blocks and positional reads of one file, on which all other packages of this module
 * build. Start at {@link io.skerry.format.block.ByteSource}.
 */
package io.skerry.format.block;
