/**
 * Groups of the old style: names in a local heap, links in symbol table nodes under a version 1
 * B-tree. Links of the new style are messages of the header or dense and not here. Start at {@code
 * SymbolTable} to read and {@code SymbolTableWriter} to write.
 */
package io.skerry.format.link;
