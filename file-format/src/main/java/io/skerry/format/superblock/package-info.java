/** The superblock of every version, the driver information block, and symbol table entries. */
package io.skerry.format.superblock;
