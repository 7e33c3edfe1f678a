/**
 * {@code ls}, {@code dump} and {@code defined}: print the tree, the values and the defined elements
 * of a file. Start at the handlers, such as {@link io.skerry.jobs.inspect.LsHandler}.
 */
package io.skerry.jobs.inspect;
