/**
 * Reads the arguments of each subcommand into an options record with picocli; one class per
 * subcommand, and classes for the option groups that several subcommands share. A command passes
 * the record to the handler of its subcommand. {@link io.skerry.jobs.command.LsCommand} is the
 * shortest example.
 */
package io.skerry.jobs.command;
