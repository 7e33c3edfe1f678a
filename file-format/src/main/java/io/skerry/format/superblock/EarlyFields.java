package io.skerry.format.superblock;

/**
 * What only superblocks 0 and 1 hold.
 *
 * @param orders of B-trees; superblock 0 cannot store that of chunks
 * @param driverAddress driver information block, or undefined
 * @param root the root group as an entry of a symbol table
 */
public record EarlyFields(TreeOrders orders, long driverAddress, SymbolEntry root) {}
