/**
 * Uses picocli to read the arguments of each subcommand into an options record. There is one class
 * per subcommand, and one per group of options that several subcommands share. A command passes its
 * record to the handler of the subcommand. {@link io.skerry.jobs.command.LsCommand} is the shortest
 * example.
 */
package io.skerry.jobs.command;
