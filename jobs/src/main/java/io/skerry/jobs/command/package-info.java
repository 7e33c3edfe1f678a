/**
 * Reads the arguments of each subcommand into an options record with picocli; one class per
 * subcommand, and the option groups that several share.
 */
package io.skerry.jobs.command;
