/**
 * Old-style groups: symbol tables with their version 1 B-tree and local heap. Start at {@link
 * io.skerry.format.symboltable.SymbolTable} to read and at {@link
 * io.skerry.format.symboltable.SymbolTableWriter} to write.
 */
package io.skerry.format.symboltable;
