/**
 * The {@code skerry} command: {@code Skerry} parses the command line, runs the handler of the
 * subcommand and returns the exit code.
 */
package io.skerry.jobs;
