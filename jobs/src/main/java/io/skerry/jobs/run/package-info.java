/**
 * Runs a command on one or more ranks: launcher detection, agreement of ranks on each step, work
 * limits, the exception for expected failures. Used by the handlers of all subcommands. Start at
 * {@link io.skerry.jobs.run.CommandContext}.
 */
package io.skerry.jobs.run;
