/**
 * Implements three subcommands: {@code ls} prints the tree of a file, {@code dump} prints values,
 * and {@code defined} prints which elements are defined. Start at the handlers, such as {@link
 * io.skerry.jobs.inspect.LsHandler}.
 */
package io.skerry.jobs.inspect;
