/**
 * Superblocks of all versions, driver information, and symbol table entries. Start at {@link
 * io.skerry.format.superblock.Superblock}.
 */
package io.skerry.format.superblock;
