/** Object headers, links, attributes and symbol tables of an open file. */
package io.skerry.internal.tree;
