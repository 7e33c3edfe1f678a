/**
 * Object headers, links, attributes and symbol tables of an open file. Every rank makes the same
 * changes to its copy in memory. Start at {@link io.skerry.internal.tree.ObjectTree}.
 */
package io.skerry.internal.tree;
