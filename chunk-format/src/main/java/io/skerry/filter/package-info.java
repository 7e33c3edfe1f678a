/**
 * Filters, identified by number and parameters, and the interface that a filter implements. Start
 * at {@link Filters} to choose filters and at {@link Filter} to implement one.
 *
 * <p>No argument may be null: a null causes a {@link NullPointerException}.
 */
package io.skerry.filter;
