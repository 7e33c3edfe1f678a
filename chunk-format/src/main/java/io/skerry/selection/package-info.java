/**
 * Selections of elements in a dataspace: all, none, hyperslabs, regions and point lists, with set
 * algebra. Start at {@link Selection}.
 */
package io.skerry.selection;
