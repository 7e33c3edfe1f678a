/**
 * Selections of elements in a dataspace: all, none, hyperslabs, regions and point lists, with set
 * algebra. Start at {@link Selection}.
 *
 * <p>No argument may be null: a null causes a {@link NullPointerException}.
 */
package io.skerry.selection;
