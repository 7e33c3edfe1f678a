/**
 * Syntax of command-line arguments: files and objects, selections, filters, chunk shapes and
 * element literals.
 */
package io.skerry.jobs.argument;
