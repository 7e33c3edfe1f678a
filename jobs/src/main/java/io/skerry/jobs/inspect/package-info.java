/**
 * Implements {@code ls}, {@code dump} and {@code defined}, which print the tree of a file, values,
 * and which elements are defined. Start at the handlers, such as {@link
 * io.skerry.jobs.inspect.LsHandler}.
 */
package io.skerry.jobs.inspect;
