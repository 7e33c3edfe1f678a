package io.skerry.format.superblock;

/**
 * Fields that only superblocks of versions 0 and 1 have.
 *
 * @param orders the node sizes of version 1 B-trees; version 0 does not store the size for chunk
 *     indexes
 * @param driverAddress the address of the driver information block, or undefined
 * @param root the symbol table entry of the root group
 */
public record EarlyFields(TreeOrders orders, long driverAddress, SymbolEntry root) {}
