/**
 * Output of commands: JSON, the text of failures, progress bars on standard error. Used by all
 * subcommands. Start at {@link io.skerry.jobs.report.Json}.
 */
package io.skerry.jobs.report;
