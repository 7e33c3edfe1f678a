/**
 * Selections of elements in a dataspace: all, none, hyperslabs, regions and point lists, with set
 * algebra.
 */
package io.skerry.selection;
