/**
 * {@code ls}, {@code dump} and {@code defined}: print the tree, the values and the defined elements
 * of a file.
 */
package io.skerry.jobs.inspect;
