/**
 * The {@code skerry} command: {@code Skerry} parses the command line, runs the handler of the
 * subcommand and returns the exit code. Start at {@link io.skerry.jobs.Skerry}; {@code Subcommands}
 * lists the subcommands, whose handlers are in the subpackages.
 */
package io.skerry.jobs;
