/**
 * Syntax of command-line arguments: files and objects, selections, filters, chunk shapes and
 * element literals. The commands in {@code io.skerry.jobs.command} use it to fill their options
 * records. Start at {@link io.skerry.jobs.argument.FileArgument}.
 */
package io.skerry.jobs.argument;
