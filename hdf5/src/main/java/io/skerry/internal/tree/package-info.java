/**
 * Object headers, links, attributes and symbol tables of an open file, which all ranks change alike
 * in memory. Start at {@link io.skerry.internal.tree.ObjectTree}.
 */
package io.skerry.internal.tree;
